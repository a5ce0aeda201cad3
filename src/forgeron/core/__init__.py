"""What a game is: the contract, the compile switch, bits, random numbers, positions."""
