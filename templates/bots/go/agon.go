// Reads agon's questions and writes the answers: a line of JSON each way. Debug with println or fmt.Fprintln(os.Stderr, …): standard
// output belongs to the answers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

// What agon sends. At the beginning of the match: Seat (your own, from 0), Seats (how many), Options and View; with each question
// View and Legal.
type message struct {
	Type    string         `json:"type"`
	Seat    int            `json:"seat"`
	Seats   int            `json:"seats"`
	Options map[string]any `json:"options"`
	View    map[string]any `json:"view"`
	// Of actions that no list holds Legal describes them, and Example is one.
	Legal   json.RawMessage `json:"legal"`
	Example string          `json:"example"`
	// The question's number: the answer says which one it is of.
	N int `json:"n"`
}

// What was told at the beginning of the match.
var start message

// Your own chance. A bot that takes its chance from nothing else plays the same again from the same seed.
var chance = rand.New(rand.NewSource(seed()))

func seed() int64 {
	number, err := strconv.ParseInt(os.Getenv("AGON_SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return number
}

// Answers each question with choose(view, legal), until there are no more.
func play(choose func(view map[string]any, legal []string) string) {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var told message
		if err := json.Unmarshal(line, &told); err != nil {
			panic(err)
		}
		if told.Type == "start" {
			start = told
		}
		if told.Type == "ask" {
			var legal []string
			if json.Unmarshal(told.Legal, &legal) != nil {
				legal = []string{told.Example}
			}
			answer, _ := json.Marshal(map[string]any{"action": choose(told.View, legal), "n": told.N})
			fmt.Println(string(answer))
		}
	}
}
