// The answers of the vendors to the libraries, and the results that a library must return. The other side is
// `asked.py`.
import type { Json } from '../support/json.ts'
import type { Asked, Call, Script, Turn } from '../vendors/script.ts'

export const HELLO = 'Hello from the vendor.'
export const WEATHER = 'It is 21 degrees in Paris.'
export const WEATHER_CALL = { city: 'Paris', unit: 'celsius' }
export const PERSON = {
  name: 'Ada Lovelace',
  age: 36,
  height: 1.65,
  level: 'senior',
  nickname: 'Countess',
  tags: ['mathematics', 'poetry'],
  addresses: [{ street: '12 St James Square', code: '10115', country: 'England' }],
}
export const CITY = { city: 'Paris', population: 2_100_000 }

/** What is written into fields of these names, wherever they stand in a schema. */
const known: Record<string, Json> = { ...PERSON, ...WEATHER_CALL, ...CITY, answer: HELLO }

/** How CrewAI asks a model of which it believes, by its name, that it calls no tools: for words, and of what was observed. */
const AWAITS_CALL = /\bThought:\s*$/
const AWAITS_ANSWER = /^Analyze the tool result\b/
const callInWords = `Thought: I should look.\nAction: weather\nAction Input: ${JSON.stringify(WEATHER_CALL)}`
const answerInWords = `Thought: I now know the final answer\nFinal Answer: ${WEATHER}`

/** Answers by the words of the question. */
export const vendorScript: Script = (asked) => {
  const { said, format, tools, results } = asked
  const fields = dspyFields(said)
  if (fields.length > 0) return { text: dspyText(fields, said) }
  if (tools.length + results.length === 0 && AWAITS_CALL.test(said)) return { text: callInWords }
  if (tools.length + results.length === 0 && AWAITS_ANSWER.test(said)) return { text: answerInWords }
  if (/weather|21 degrees/i.test(said)) return weatherTurn(asked)
  if (/person/i.test(said)) return personTurn(asked)
  if (/JSON object/.test(said)) return { text: JSON.stringify(CITY) }
  return { text: format?.schema ? JSON.stringify(valueFor(format.schema)) : HELLO }
}

function weatherTurn({ tools, results, said }: Asked): Turn {
  // Some agents say what a tool gave as the user's next words.
  const known = results.length > 0 || /21 degrees/.test(said)
  const heard = /21 degrees/.test(results.join(' ') + said)
  const answer = heard ? WEATHER : 'The tool said nothing.'
  const weather = tools.find(({ name }) => /weather/.test(name))
  if (!known && weather) return calling({ name: weather.name, args: WEATHER_CALL })
  // And some want the last words as a call.
  const last = tools.find(({ name }) => name === 'final_answer')
  return last ? calling({ name: last.name, args: { answer } }) : { text: answer }
}

/** By the schema asked for, or in the tool whose arguments are the answer. */
function personTurn({ tools, format }: Asked): Turn {
  if (format?.schema) return { text: JSON.stringify(valueFor(format.schema)) }
  const [tool] = tools
  if (tool) return calling({ name: tool.name, args: valueFor(tool.schema) })
  return { text: JSON.stringify(PERSON) }
}

/** DSPy asks for named fields by its own marks, or for a JSON object of them. */
function dspyFields(said: string): string[] {
  const wish = /Respond with (?:the corresponding output fields|a JSON object in the following order)[\s\S]*$/.exec(
    said,
  )?.[0]
  const names = [...(wish ?? '').matchAll(/`(?:\[\[ ## )?(\w+)(?: ## \]\])?`/g)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'completed')
}

function dspyText(fields: readonly string[], said: string): string {
  const called = /21 degrees/.test(said)
  const values: Record<string, Json> = {
    answer: called ? WEATHER : HELLO,
    next_tool_name: called ? 'finish' : 'weather',
    next_tool_args: called ? {} : WEATHER_CALL,
    person: PERSON,
  }
  const answers = fields.map((name) => [name, values[name] ?? 'text'] as const)
  if (/a JSON object in the following order/.test(said)) return JSON.stringify(Object.fromEntries(answers))
  const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
  return [...answers.map(([name, value]) => `[[ ## ${name} ## ]]\n${shown(value)}`), '[[ ## completed ## ]]'].join(
    '\n\n',
  )
}

const calling = (call: Call): Turn => ({ thought: `I should call ${call.name}.`, calls: [call] })

/** A value that a schema describes, known fields by their names. Reads OpenAPI's way of writing too. */
export function valueFor(schema: Json, root: Json = schema, name = ''): Json {
  if (name in known) return known[name]
  if (schema.$ref) return valueFor(pointed(root, schema.$ref), root, name)
  const [inner] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (inner) return valueFor(inner, root, name)
  if ('const' in schema || schema.enum) return schema.const ?? schema.enum[0]
  switch (String([schema.type].flat()[0]).toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, valueFor(each as Json, root, key)]),
      )
    case 'array':
      return [valueFor(schema.items ?? { type: 'string' }, root)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return 'text'
  }
}

const pointed = (root: Json, ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce((at: Json, key) => at?.[key], root)
