// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
package main

// Called for each of your moves: returns one of the texts in legal. What you may know, such as view["…"].(float64):
//
//	__FIELDS__
func choose(view map[string]any, legal []string) string {
	// A first idea: any move that is legal. chance is seeded, so that matches can be played again.
	return legal[chance.Intn(len(legal))]
}

func main() {
	play(choose)
}
