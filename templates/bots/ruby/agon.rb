# Reads agon's questions and writes the answers: a line of JSON each way. Debug with warn: standard output belongs to the answers.
require 'json'

module Agon
  # Your own chance. A bot that takes its chance from nothing else plays the same again from the same seed.
  CHANCE = Random.new(Integer(ENV.fetch('AGON_SEED', '1')))

  class << self
    # What was told at the beginning of the match: 'seat' (your own, from 0), 'seats' (how many), 'options' and 'view'.
    attr_reader :start

    # Answers each question with what the block makes of the view and the legal actions, until there are no more.
    def play
      # Without this an answer would stay in Ruby's own buffer.
      $stdout.sync = true
      $stdin.each_line do |line|
        message = JSON.parse(line)
        @start = message if message['type'] == 'start'
        next unless message['type'] == 'ask'

        # If legal is a shape, agon sends one example.
        legal = message['legal'].is_a?(Array) ? message['legal'] : [message['example']]
        # The question's number shows which one is answered.
        puts JSON.generate('action' => yield(message['view'], legal), 'n' => message['n'])
      end
    end
  end
end
