// A first bot: it plays any game of Forgeron, legally, at random. Make `choose` better.
//
// Compile it with:  rustc -O -o my_bot THIS_FILE
// Test it with:     forgeron check GAME ./my_bot
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

struct Bot {
    legal: Vec<String>, // the moves that are allowed now
    moves: Vec<String>, // those that led from the first position to this one
    seconds: f64,       // what this move may take
}

impl Bot {
    fn choose(&self) -> &str {
        let random = RandomState::new().build_hasher().finish(); // the standard library has no other
        &self.legal[random as usize % self.legal.len()]
    }

    /// `go movetime 500`, or `go p1time 60000 p2time 60000 p1inc 0 p2inc 0`; all are milliseconds.
    fn read_time(&mut self, words: &[&str]) {
        let told = |name: &str| -> Option<f64> {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1)?.parse().ok()
        };
        let left = told("p1time").unwrap_or(30000.0).min(told("p2time").unwrap_or(30000.0));
        self.seconds = told("movetime").unwrap_or(left / 30.0) / 1000.0;
    }

    fn obey(&mut self, words: &[&str]) -> bool {
        match words.first().copied() {
            Some("ugi") => {
                say("id name starter");
                say("option name legal type check"); // asks the referee to send the legal moves
                say("ugiok");
            }
            Some("isready") => say("readyok"),
            Some("position") => {
                let played = words.iter().skip_while(|word| **word != "moves").skip(1);
                self.moves = played.map(|word| word.to_string()).collect();
            }
            Some("legal") => self.legal = words[1..].iter().map(|word| word.to_string()).collect(),
            Some("go") => {
                self.read_time(words);
                say(&format!("bestmove {}", self.choose()));
            }
            Some("quit") => return false,
            _ => {}
        }
        true
    }
}

fn say(text: &str) {
    println!("{text}");
    io::stdout().flush().unwrap(); // without this the referee may wait, and the bot loses on time
}

fn main() {
    let mut bot = Bot { legal: Vec::new(), moves: Vec::new(), seconds: 1.0 };
    for line in io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        if !bot.obey(&line.split_whitespace().collect::<Vec<_>>()) {
            break;
        }
    }
}
