// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
mod agon;
use agon::Value;

/// Called for each of your moves: returns one of the texts in legal. What you may know, such as view.get("…").number():
///   __FIELDS__
fn choose(_view: &Value, legal: &[String], chance: &mut agon::Chance) -> String {
    // A first idea: any move that is legal. chance is seeded, so that matches can be played again.
    legal[chance.below(legal.len())].clone()
}

fn main() {
    agon::play(choose);
}
