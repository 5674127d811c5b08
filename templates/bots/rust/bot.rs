// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
mod agon;
use agon::Value;

/// Called for each of your moves: returns one of the texts in legal. What you may know, such as view.get("…").number():
///   __FIELDS__
fn choose(_view: &Value, legal: &[String], _chance: &mut agon::Chance) -> String {
    // A first idea: the first move that is legal. legal[_chance.below(legal.len())] is any of them; it is seeded, so that
    // matches can be played again.
    legal[0].clone()
}

fn main() {
    agon::play(choose);
}
