// Requests that the strict vendors have to refuse, each one field away from a sound one, and a word of each refusal.
import type { Json } from '../support/json.ts'

/** What is refused; the fields laid over a sound body; words of the refusal. */
export type RefusedCase = readonly [what: string, fields: Json, words: RegExp]

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const strict = { ...parameters, additionalProperties: false }
const functionTool = { type: 'function', function: { name: 'read', parameters } }
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }
const user = { role: 'user', content: 'Hello' }
const chatFormat = (schema: Json) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'one', strict: true, schema } },
})

/** Over `{ model: 'gpt-4o', messages: [user] }`. */
export const chatCases: readonly RefusedCase[] = [
  ['an unknown field', { top_k: 3 }, /Unrecognized request argument supplied: top_k/],
  ['an unknown field of a message', { messages: [{ ...user, thought: '' }] }, /Unknown parameter: 'messages\[0\].thought'/],
  ['max_tokens where a model reasons', { model: 'o3', max_tokens: 9 }, /Use 'max_completion_tokens' instead/],
  ['a temperature where a model reasons', { model: 'gpt-5', temperature: 0 }, /'temperature' does not support 0/],
  ['top_p beside an effort', { model: 'gpt-5.2', top_p: 0.5, reasoning_effort: 'low' }, /'top_p' is not supported/],
  ['stop where a model reasons', { model: 'o4-mini', stop: ['a'] }, /'stop' is not supported/],
  ['penalties where a model reasons', { model: 'gpt-5.5', presence_penalty: 1 }, /'presence_penalty' is not/],
  ['an effort where no model reasons', { reasoning_effort: 'low' }, /'reasoning_effort' is not supported/],
  ['an effort that a model lacks', { model: 'gpt-5', reasoning_effort: 'none' }, /does not support 'none'/],
  ['tools with the default effort', { model: 'gpt-5.5', tools: [functionTool] }, /not supported for gpt-5.5 in \/v1\/chat/],
  [
    'tools with an effort',
    { model: 'gpt-5.4', tools: [functionTool], reasoning_effort: 'low' },
    /Please use \/v1\/responses instead/,
  ],
  ['tools with gpt-5.6', { model: 'gpt-5.6-terra', tools: [functionTool] }, /or set reasoning_effort to 'none'/],
  ['tools with gpt-6.1-terra', { model: 'gpt-6.1-terra', tools: [functionTool] }, /or set reasoning_effort to 'none'/],
  ['tools with gpt-6.2-sol', { model: 'gpt-6.2-sol', tools: [functionTool] }, /Please use \/v1\/responses instead/],
  ['no effort with gpt-6.2-sol', { model: 'gpt-6.2-sol', reasoning_effort: 'none' }, /does not support 'none'/],
  ['a temperature with gpt-6.2-sol', { model: 'gpt-6.2-sol', temperature: 1 }, /'temperature' is not supported/],
  ['a model of the other door', { model: 'gpt-5-codex' }, /only supported in v1\/responses/],
  ['a search on a model that does not', { web_search_options: {} }, /Web search options not supported/],
  ['an empty stop', { stop: [] }, /Invalid 'stop': empty array/],
  ['no tools', { tools: [] }, /Invalid 'tools': empty array/],
  ['a choice without tools', { tool_choice: 'auto' }, /only allowed when 'tools' are specified/],
  ['a result without a call', { messages: [user, { role: 'tool', content: '', tool_call_id: 'a' }] }, /preceeding message/],
  [
    'a call without a result',
    { messages: [user, { role: 'assistant', tool_calls: [call] }, user] },
    /did not have response messages: call_1/,
  ],
  ['JSON that nobody speaks of', { response_format: { type: 'json_object' } }, /must contain the word 'json'/],
  ['a strict schema left open', chatFormat(parameters), /'additionalProperties' is required/],
  ['a strict schema with an option', chatFormat({ ...strict, required: [] }), /Missing 'path'/],
  ['a strict schema with oneOf', chatFormat({ ...strict, oneOf: [] }), /'oneOf' is not permitted/],
]

const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{}' }

/** Over `{ model: 'gpt-5.5', input: 'Hello' }`. */
export const responsesCases: readonly RefusedCase[] = [
  ['an unknown field', { max_tokens: 3 }, /Unknown parameter: 'max_tokens'/],
  ['a temperature where a model reasons', { temperature: 0.5 }, /'temperature' is not supported/],
  ['an unknown answer before', { previous_response_id: 'resp_x' }, /Previous response with id 'resp_x' not found/],
  ['an id that is too long', { input: [{ ...item, id: `fc_${'x'.repeat(62)}` }] }, /string too long/],
  ['an id of another kind', { input: [{ ...item, id: 'call_1' }] }, /input\[0\].id/],
  ['a call without its output', { input: [item] }, /No tool output found for function call call_1/],
  ['an output without its call', { input: [{ type: 'function_call_output', call_id: 'a', output: '' }] }, /No tool call found/],
  ['thoughts alone', { input: [{ type: 'reasoning', summary: [] }] }, /without its required following item/],
  [
    'thoughts of somebody else',
    { input: [{ type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }] },
    /could not be verified/,
  ],
  ['JSON that nobody speaks of', { text: { format: { type: 'json_object' } } }, /must contain the word 'json'/],
  ['few tokens', { max_output_tokens: 1 }, /max_output_tokens/],
  ['a strict tool left open', { tools: [{ type: 'function', name: 'read', parameters, strict: true }] }, /is required/],
]

const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' }
const tools = [{ name: 'read', input_schema: parameters }]
const claudeFormat = (schema: Json) => ({ output_config: { format: { type: 'json_schema', schema } } })
const mark = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }
const thinking = { type: 'enabled', budget_tokens: 1024 }

/** Over `{ model: 'claude-sonnet-4-6', max_tokens: 2048, messages: [user] }`. */
export const messagesCases: readonly RefusedCase[] = [
  ['no limit', { max_tokens: undefined }, /max_tokens: Field required/],
  ['a limit above the model’s', { max_tokens: 128_001 }, /128001 > 128000/],
  ['an unknown field', { n: 1 }, /n: Extra inputs are not permitted/],
  ['a field of a beta', { context_management: {} }, /context_management: Extra inputs/],
  ['the effort of a message without its beta', { model: 'claude-opus-5-5', messages: [user, { role: 'system', content: 'a', output_config: { effort: 'low' } }] }, /messages.1.output_config: Extra inputs/],
  ['the effort of a user’s message', { messages: [{ ...user, output_config: { effort: 'low' } }] }, /messages.0.output_config: Extra inputs/],
  ['bound thoughts without their beta', { thinking: { type: 'adaptive', block_binding: {} } }, /thinking.block_binding: Extra inputs/],
  ['progress in place of thoughts without its beta', { thinking: { type: 'adaptive', display: 'updates' } }, /thinking.adaptive.display/],
  ['an unknown field of a block', { messages: [{ role: 'user', content: [{ ...mark, id: 1 }] }] }, /content.0.id: Extra/],
  ['a system message', { messages: [user, { role: 'system', content: 'a' }] }, /Unexpected role "system"/],
  ['a system message at the beginning', { model: 'claude-opus-5-5', messages: [{ role: 'system', content: 'a' }, user] }, /must use the "user" role/],
  [
    'a system message behind an answer',
    { model: 'claude-opus-5-5', messages: [user, { role: 'assistant', content: 'a' }, { role: 'system', content: 'b' }] },
    /must follow a "user" message/,
  ],
  ['a forced tool of newer models', { model: 'claude-sonnet-5-5', tools, tool_choice: { type: 'any' } }, /tool_choice: `any` is not supported/],
  ['no thinking of models that always think', { model: 'claude-opus-5-5', thinking: { type: 'disabled' } }, /"thinking.type.disabled" is not supported/],
  ['no thinking of Sonnet 5.5 in older words', { model: 'claude-sonnet-5-5', thinking: { type: 'disabled' } }, /"thinking.type.disabled" is not supported/],
  ['an empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, /must be non-empty/],
  ['a blank text', { messages: [{ role: 'user', content: ' \n' }] }, /non-whitespace/],
  ['an answer that was begun', { messages: [user, { role: 'assistant', content: 'a' }] }, /message prefill/],
  ['a begun answer with a space', { model: 'claude-sonnet-4-5', messages: [user, { role: 'assistant', content: 'a ' }] }, /trailing whitespace/],
  ['a result without a call', { messages: [{ role: 'user', content: [result] }] }, /unexpected `tool_use_id`/],
  ['a call without a result', { messages: [user, use, user] }, /without `tool_result` blocks immediately after: toolu_1/],
  [
    'words before a result',
    { messages: [user, use, { role: 'user', content: [{ type: 'text', text: 'a' }, result] }] },
    /without `tool_result` blocks immediately after/,
  ],
  ['two ways to sample', { temperature: 1, top_p: 0.9 }, /cannot both be specified/],
  ['a temperature of newer models', { model: 'claude-opus-4-7', temperature: 0.5 }, /`temperature` is deprecated/],
  ['more marks than four', { messages: [{ role: 'user', content: [mark, mark, mark, mark, mark] }] }, /maximum of 4 blocks/],
  ['a mark on an empty text', { messages: [{ role: 'user', content: [{ ...mark, text: '' }] }] }, /cannot be set for empty/],
  ['a budget too small', { thinking: { ...thinking, budget_tokens: 9 } }, /budget_tokens/],
  ['a budget above the limit', { thinking, max_tokens: 1024 }, /must be greater than `thinking.budget_tokens`/],
  ['a budget of newer models', { model: 'claude-opus-4-8', thinking }, /thinking.type.adaptive/],
  ['a forced tool while thinking', { thinking, tools, tool_choice: { type: 'any' } }, /forces tool use/],
  ['a temperature while thinking', { thinking, temperature: 0 }, /may only be set to 1/],
  [
    'a signature of somebody else',
    { messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'b' }, mark] }, user] },
    /Invalid `signature` in `thinking` block/,
  ],
  ['calls without their thoughts', { thinking, messages: [user, use, { role: 'user', content: [result] }] }, /Expected `thinking`/],
  ['a schema of numbers with bounds', claudeFormat({ ...strict, properties: { n: { type: 'integer', minimum: 1 } } }), /'minimum' is not supported/],
  ['a schema left open', claudeFormat(parameters), /'additionalProperties' must be explicitly set to false/],
  ['a schema with oneOf', claudeFormat({ ...strict, properties: { n: { oneOf: [] } } }), /'oneOf' is not supported/],
  ['a tool that takes no object', { tools: [{ name: 'read', input_schema: { type: 'string' } }] }, /input_schema.type/],
  ['a choice without tools', { tool_choice: { type: 'auto' } }, /only be specified while providing tools/],
  ['a blank stop', { stop_sequences: [' '] }, /non-whitespace/],
  [
    'a picture of a strange kind',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'a' } }] }] },
    /media_type/,
  ],
]

const hello = { role: 'user', parts: [{ text: 'Hello' }] }
const functionCall = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] }
const response = { functionResponse: { name: 'read', response: { output: 'found' } } }
const declared = (schema: Json) => ({ tools: [{ function_declarations: [{ name: 'read', parameters: schema }] }] })

/** Over `{ contents: [hello] }`, of gemini-3-pro-preview. */
export const geminiCases: readonly RefusedCase[] = [
  ['an unknown field', { stop: [] }, /Unknown name "stop"/],
  ['an unknown field below', { generation_config: { max_tokens: 1 } }, /Unknown name "maxTokens" at 'generation_config'/],
  ['a schema beyond the subset', declared({ ...parameters, additionalProperties: false }), /Unknown name "additionalProperties" at 'tools\[0\].function_declarations\[0\].parameters'/],
  ['an enum of numbers', declared({ type: 'object', properties: { n: { type: 'integer', enum: ['1'] } } }), /only allowed for STRING type/],
  ['a list of nothing', declared({ type: 'object', properties: { n: { type: 'array' } } }), /items: missing field/],
  ['a required stranger', declared({ ...parameters, required: ['name'] }), /property is not defined/],
  ['a name with a space', { tools: [{ functionDeclarations: [{ name: 'read it' }] }] }, /Invalid function name/],
  ['a call without its signature', { contents: [hello, functionCall, { role: 'user', parts: [response] }] }, /missing a thought_signature/],
  ['a signature of somebody else', { contents: [{ role: 'user', parts: [{ text: 'a', thoughtSignature: 'AA==' }] }] }, /Corrupted/],
  ['fewer responses than calls', { contents: [hello, functionCall, hello] }, /number of function response parts is equal/],
  ['a response without its call', { contents: [{ role: 'user', parts: [response] }] }, /immediately after a function call turn/],
  ['a call at the beginning', { contents: [functionCall] }, /immediately after a user turn/],
  ['another role', { contents: [{ ...hello, role: 'assistant' }] }, /valid role: user, model/],
  ['no parts', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/],
  ['an empty part', { contents: [{ role: 'user', parts: [{}] }] }, /must have one initialized field/],
  ['an empty text', { contents: [{ role: 'user', parts: [{ text: '' }] }] }, /not empty/],
  ['a strange kind of file', { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/gif', data: 'AA==' } }] }] }, /Unsupported MIME type: image\/gif/],
  ['six stops', { generationConfig: { stopSequences: [...'abcdef'] } }, /more than 5/],
  ['a level with a budget', { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 128 } } }, /only set only one/],
  ['a penalty', { generationConfig: { presencePenalty: 1 } }, /Penalty is not enabled/],
  ['a schema of plain text', { generationConfig: { responseSchema: parameters } }, /response_mime_type/],
  ['search beside functions', { tools: [{ googleSearch: {} }, ...declared(parameters).tools] }, /include_server_side_tool_invocations/],
]

export const sound = {
  chat: { model: 'gpt-4o', messages: [user] },
  responses: { model: 'gpt-5.5', input: 'Hello' },
  messages: { model: 'claude-sonnet-4-6', max_tokens: 2048, messages: [user] },
  gemini: { contents: [hello] },
}
