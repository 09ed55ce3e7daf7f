// Estimates a Responses prompt's tokens.
import { AUDIO, FILE, IMAGE, IMAGE_LOW, PER_MESSAGE, PER_TOOL, PRIMER, textTokens, valueTokens } from '../estimate.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json-value.ts'

/** Estimates the prompt tokens of a request, at least 1 (docs/billing.md, 12.2). */
export function promptEstimate({ instructions, input, tools }: JsonObject): number {
  let sum = PRIMER + contentTokens(instructions)
  if (typeof input === 'string') sum += PER_MESSAGE + textTokens(input)
  for (const item of asList(input) ?? []) sum += PER_MESSAGE + itemTokens(asObject(item) ?? {})
  for (const tool of asList(tools) ?? []) sum += PER_TOOL + valueTokens(tool)
  return Math.max(1, Math.ceil(sum))
}

function itemTokens(item: JsonObject): number {
  const { type } = item
  if (type === undefined || type === 'message') return 1 + contentTokens(item.content)
  if (type === 'function_call_output') return contentTokens(item.output)
  // Encrypted reasoning, calls and other items: the model reads all of it in some form.
  return valueTokens(item)
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return textTokens(content)
  return (asList(content) ?? []).reduce<number>((sum, part) => sum + partTokens(part), 0)
}

function partTokens(part: unknown): number {
  switch (getMember(part, 'type')) {
    case 'input_image':
      return getMember(part, 'detail') === 'low' ? IMAGE_LOW : IMAGE
    case 'input_audio':
      return AUDIO
    case 'input_file':
      return FILE
    default:
      return textTokens(asText(getMember(part, 'text')) ?? asText(getMember(part, 'refusal')) ?? '')
  }
}
