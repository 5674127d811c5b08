// Reads agon's questions and writes the answers: a line of JSON each way. The standard library and nothing else. Debug with eprintln!:
// standard output belongs to the answers.
#![allow(dead_code)]
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// A value of JSON. What is not there, or of another kind, is Null, 0, "" or empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

static NOTHING: Value = Value::Null;

impl Value {
    /// A part of an object, by its key.
    pub fn get(&self, key: &str) -> &Value {
        match self {
            Value::Object(parts) => parts.get(key).unwrap_or(&NOTHING),
            _ => &NOTHING,
        }
    }
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }
    pub fn number(&self) -> f64 {
        match self {
            Value::Number(number) => *number,
            _ => 0.0,
        }
    }
    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }
    pub fn truth(&self) -> bool {
        *self == Value::Truth(true)
    }
}

/// Your own chance, from AGON_SEED. A bot that takes its chance from nothing else plays the same again from the same seed.
pub struct Chance(u64);

impl Chance {
    /// A whole number from 0 to n - 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Answers each question with choose(view, legal, chance), until there are no more.
pub fn play(mut choose: impl FnMut(&Value, &[String], &mut Chance) -> String) {
    let seed = std::env::var("AGON_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut chance = Chance(seed);
    for line in io::stdin().lock().lines() {
        let message = parse(&line.expect("a line"));
        if message.get("type").text() != "ask" {
            continue;
        }
        let mut legal: Vec<String> = message.get("legal").items().iter().map(|action| action.text().to_string()).collect();
        // If legal is a shape, agon sends one example.
        if legal.is_empty() {
            legal.push(message.get("example").text().to_string());
        }
        let action = choose(message.get("view"), &legal, &mut chance);
        // The question's number shows which one is answered.
        println!("{{\"action\":{},\"n\":{}}}", quote(&action), message.get("n").number());
        io::stdout().flush().expect("standard output");
    }
}

/// A text as it is written in JSON.
pub fn quote(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c < ' ' => json.push_str(&format!("\\u{:04x}", c as u32)),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

pub fn parse(json: &str) -> Value {
    Reader { json: json.chars().collect(), at: 0 }.value()
}

struct Reader {
    json: Vec<char>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> char {
        while self.json[self.at].is_whitespace() {
            self.at += 1;
        }
        self.json[self.at]
    }
    fn skip(&mut self, wanted: char) -> bool {
        let there = self.next() == wanted;
        self.at += there as usize;
        there
    }
    fn value(&mut self) -> Value {
        if self.next() == '"' {
            return Value::Text(self.quoted());
        }
        if self.skip('{') {
            let mut parts = BTreeMap::new();
            while !self.skip('}') {
                self.skip(',');
                self.next();
                let key = self.quoted();
                self.skip(':');
                parts.insert(key, self.value());
            }
            return Value::Object(parts);
        }
        if self.skip('[') {
            let mut items = Vec::new();
            while !self.skip(']') {
                self.skip(',');
                items.push(self.value());
            }
            return Value::List(items);
        }
        let from = self.at;
        while self.at < self.json.len() && !",]} \t\r\n".contains(self.json[self.at]) {
            self.at += 1;
        }
        let word: String = self.json[from..self.at].iter().collect();
        match word.as_str() {
            "null" => Value::Null,
            "true" | "false" => Value::Truth(word == "true"),
            number => Value::Number(number.parse().expect("a number")),
        }
    }
    fn quoted(&mut self) -> String {
        // Pairs of \u stand for one sign beyond the first 65,536.
        let mut units: Vec<u16> = Vec::new();
        self.at += 1;
        while self.json[self.at] != '"' {
            let mut c = self.json[self.at];
            if c == '\\' {
                self.at += 1;
                c = match self.json[self.at] {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'u' => {
                        let digits: String = self.json[self.at + 1..self.at + 5].iter().collect();
                        units.push(u16::from_str_radix(&digits, 16).expect("four hexadecimal digits"));
                        self.at += 5;
                        continue;
                    }
                    other => other,
                };
            }
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            self.at += 1;
        }
        self.at += 1;
        String::from_utf16_lossy(&units)
    }
}
