// Reads agon's questions and writes the answers: a line of JSON each way. Debug with console.error: standard output belongs to the
// answers.
import { createInterface } from 'node:readline'

/** What was told at the beginning of the match: seat (your own, from 0), seats (how many), options and view. */
export let start = {}

/** Answers each question with choose(view, legal), until there are no more. */
export async function play(choose) {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line)
    if (message.type === 'start') start = message
    if (message.type !== 'ask') continue
    // If legal is a shape, agon sends one example.
    const legal = Array.isArray(message.legal) ? message.legal : [message.example]
    // The question's number shows which one is answered.
    console.log(JSON.stringify({ action: await choose(message.view, legal), n: message.n }))
  }
}

let state = Number(process.env.AGON_SEED ?? 1)

/** A whole number from 0 to n - 1: your own chance. A bot that takes its chance from nothing else plays the same again. */
export function below(n) {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n)
}
