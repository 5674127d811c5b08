// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
package main

// Called for each of your moves: returns one of the texts in legal. What you may know, such as view["…"].(float64):
//
//	__FIELDS__
func choose(view map[string]any, legal []string) string {
	// A first idea: the first move that is legal. legal[chance.Intn(len(legal))] is any of them; chance is seeded, so
	// that matches can be played again.
	return legal[0]
}

func main() {
	play(choose)
}
