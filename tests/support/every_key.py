"""A scenario that has every key of scenario files, as far as one can have them."""

POLICY = """\
policy: p
tools:
  a:
  b: {outcomes: {empty: ""}}
  delete:
requirements:
  - ask_permission: [delete]
"""
EVERY_KEY = """\
scenario: everything
version: 1
$schema: scenario.schema.json
about: {anything: [1, 2.5, null]}
policy: p.policy.yaml
input: Go.
chat_model:
  script:
    - a: {x: 1}
    - a:
    - [a: {x: 1}, b: {}]
    - "Sounds nice."
    - ""
    - null
    - final_answer: {response: done}
  conduct: [text, silent]
tools: {b: [empty, ok, {returns: "5 events"}, {raises: "quota"}], a: real, delete: {returns: {a: 1}}}
permissions: {delete: [deny, allow]}
runs: 2
engine: beewalk
expect:
  - {}
  - trajectory: "a b:empty a & b ghost:unoffered final_answer"
    ends: final_answer
    answer: {equals: {response: done}, contains: done, matches: "^done"}
    calls: {b: {at_least: 1, at_most: 2, arguments: [{x: 1}, {subset: {x: 1}}]}}
    requests:
      - {turn: 1, allowed: [a], hidden: [], tool_choice: a, can_stop: false, reason: {b: "..."}}
      - {request: 3}
"""
DICE = """\
scenario: dice
policy: {policy: written out, tools: [a], limits: {max_iterations: 3}}
chat_model: {random: {seed: 7, conduct: [text]}}
permissions: {}
expect: {trajectory: "", ends: dead_end}
"""
CODE = """\
scenario: code
policy: p.policy.yaml
chat_model: {python: "my_models:careful"}
permissions: {delete: allow}
"""
CASSETTE = """\
scenario: cassette
policy: p.policy.yaml
chat_model: {cassette: cassettes/boston.yaml}
"""
MY_MODELS = """\
from beewalk import FunctionChatModel


def careful():
    return FunctionChatModel(lambda prompt: "text")
"""
