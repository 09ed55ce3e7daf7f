// OpenAI's rules at /v1/responses for a body that has the right shape.
import type { Json } from '../../support/json.ts'
import { Refusal } from '../vendor.ts'
import { checkSampling, effortOf, familyOf, reasons, unsupported } from './families.ts'
import type { ResponsesMemory } from './responses-memory.ts'
import type { ResponsesBody } from './responses-shape.ts'
import { strictFault, toolSchemaFault } from './strict-schema.ts'

/** @param input the whole conversation, with what came before it. @throws Refusal */
export function checkResponse(body: ResponsesBody, input: readonly Json[], memory: ResponsesMemory): void {
  const { model, reasoning } = body
  const effort = effortOf(model, reasoning?.effort, 'reasoning.effort')
  if (!reasons(familyOf(model)) && reasoning && Object.values(reasoning).some((value) => value !== null)) {
    throw unsupported('reasoning.summary')
  }
  if (!reasons(familyOf(model)) && body.include?.includes('reasoning.encrypted_content')) {
    throw new Refusal('Encrypted content is not supported with this model.', { param: 'include' })
  }
  checkSampling(model, effort, body)
  if (body.input === undefined && !body.previous_response_id && !body.prompt && !body.conversation) {
    throw new Refusal("One of 'input' or 'previous_response_id' or 'prompt' or 'conversation' must be provided.", {
      param: 'input',
      code: 'missing_required_parameter',
    })
  }
  for (const [at, tool] of (body.tools ?? []).entries()) checkTool(tool, `tools[${at}]`)
  checkFormat(body, input)
  checkItems(input, memory)
  checkCalls(input)
}

function checkTool(tool: Json, param: string): void {
  if (tool.type === 'namespace')
    return tool.tools.forEach((inner: Json, at: number) => checkTool(inner, `${param}.tools[${at}]`))
  if (tool.type !== 'function') return
  const fault = tool.strict === true ? strictFault(tool.parameters) : toolSchemaFault(tool.parameters)
  if (!fault) return
  throw new Refusal(`Invalid schema for function '${tool.name}': ${fault}`, {
    param: `${param}.parameters`,
    code: 'invalid_function_parameters',
  })
}

function checkFormat({ text, instructions }: ResponsesBody, input: readonly Json[]): void {
  const format = text?.format
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify([instructions, input]))) {
    throw new Refusal(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      { param: 'input' },
    )
  }
  if (format?.type !== 'json_schema' || format.strict === false) return
  const fault = format.strict ? strictFault(format.schema) : undefined
  if (fault) {
    throw new Refusal(`Invalid schema for response_format '${format.name}': ${fault}`, {
      param: 'text.format.schema',
      code: 'invalid_json_schema',
    })
  }
}

function checkItems(input: readonly Json[], memory: ResponsesMemory): void {
  for (const [at, item] of input.entries()) {
    if (item.type === 'compaction_trigger' && at < input.length - 1) {
      throw new Refusal("The 'compaction_trigger' item must be the final input item.", { param: 'input' })
    }
    if (item.type === 'compaction' && !memory.issued(item.encrypted_content)) throw unreadable(item.encrypted_content)
    if (item.type === 'reasoning') checkThought(item, input[at + 1], memory)
    const thought = item.id ? memory.thoughtBehind(item.id) : undefined
    if (thought && !input.slice(0, at).some(({ type, id }) => type === 'reasoning' && id === thought)) {
      throw new Refusal(
        `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${thought}'.`,
        { param: 'input' },
      )
    }
  }
}

function checkThought(item: Json, next: Json, memory: ResponsesMemory): void {
  const sealed = item.encrypted_content
  if (sealed && !memory.issued(sealed)) throw unreadable(sealed)
  if (!sealed && item.id && !memory.item(item.id)) {
    throw new Refusal(
      `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      { status: 404, param: 'input' },
    )
  }
  const follows = next && (next.type === 'reasoning' || next.role === 'assistant' || next.type?.endsWith('_call'))
  if (!follows) {
    throw new Refusal(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`, {
      param: 'input',
    })
  }
}

const unreadable = (sealed: string): Refusal =>
  new Refusal(
    `The encrypted content ${sealed.slice(0, 4)}...${sealed.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    { code: 'invalid_encrypted_content' },
  )

/** Every call has its output, every output its call before it. */
function checkCalls(input: readonly Json[]): void {
  for (const [kind, words] of [
    ['function_call', 'function'],
    ['custom_tool_call', 'custom tool'],
  ] as const) {
    const calls = input.filter(({ type }) => type === kind).map(({ call_id }) => call_id)
    const outputs = input.filter(({ type }) => type === `${kind}_output`).map(({ call_id }) => call_id)
    const open = calls.find((id) => !outputs.includes(id))
    if (open) throw new Refusal(`No tool output found for ${words} call ${open}.`, { param: 'input' })
    const stray = outputs.find((id) => !calls.includes(id))
    if (stray)
      throw new Refusal(`No tool call found for ${words} call output with call_id ${stray}.`, { param: 'input' })
  }
}
