// Code of a chat request: the same body in the usual programming languages.
import { SHELL_SYNTAXES } from './shell.ts'

/** The endpoint of the call; the address has no slash at its end. */
interface Door {
  key: string
  address: string
}

/** The request: JSON values. */
export type ChatCall = Readonly<Record<string, unknown>> & { stream?: boolean }

/** The names of the languages. */
export const CHAT_CODE_LANGUAGES = ['curl', 'Python', 'TypeScript'] as const
export type CodeLanguage = (typeof CHAT_CODE_LANGUAGES)[number]

/** Builds a complete program that sends a question and prints the answer. */
export const buildChatCode = (language: CodeLanguage, endpoint: Door, call: ChatCall): string =>
  WRITERS[language](endpoint, call)

const WRITERS: Readonly<Record<CodeLanguage, (endpoint: Door, call: ChatCall) => string>> = {
  curl: ({ key, address }, call) => `curl ${SHELL_SYNTAXES.sh.quote(`${address}/v1/chat/completions`)} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${SHELL_SYNTAXES.sh.quote(JSON.stringify(call))}`,

  Python: ({ key, address }, call) => `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${address}/v1`)}, api_key=${JSON.stringify(key)})

${call.stream ? 'stream' : 'reply'} = client.chat.completions.create(
${members(call, (name, value) => `    ${name}=${python(value)},`)}
)
${
  call.stream
    ? `for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
    : 'print(reply.choices[0].message.content)'
}`,

  TypeScript: ({ key, address }, call) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(`${address}/v1`)}, apiKey: ${JSON.stringify(key)} })

const ${call.stream ? 'stream' : 'reply'} = await client.chat.completions.create({
${members(call, (name, value) => `  ${name}: ${script(value)},`)}
})
${
  call.stream
    ? `for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`
    : 'console.log(reply.choices[0].message.content)'
}`,
}

const members = (call: ChatCall, line: (name: string, value: unknown) => string): string =>
  Object.entries(call)
    .map(([name, value]) => line(name, value))
    .join('\n')

/** A value of JSON in Python. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`)
    .join(', ')}}`
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/

/** The same in JavaScript. */
function script(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(script).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}: ${script(one)}`)
    .join(', ')} }`
}
