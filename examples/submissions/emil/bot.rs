// Emil's bot, in Rust: goes through the list of moves, one further each turn.
use std::io::{self, BufRead, Write};

fn main() {
    let mut legal: Vec<String> = Vec::new();
    let mut turn = 0;
    for line in io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ugi") => println!("id name Emil\noption name legal type check\nugiok"),
            Some("isready") => println!("readyok"),
            Some("legal") => legal = words.map(String::from).collect(),
            Some("go") => {
                println!("bestmove {}", legal[turn % legal.len()]);
                turn += 1;
            }
            Some("quit") => break,
            _ => {}
        }
        io::stdout().flush().unwrap(); // without this the referee may wait, and the bot loses on time
    }
}
