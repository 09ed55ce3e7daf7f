// The body of /v1/responses, as OpenAI publishes it.
import { z } from 'zod'
import { functionName, metadata, tier, verbosity } from './chat-shape.ts'

const text = z.string()
const anything = z.unknown().optional()
const object = z.record(z.string(), z.unknown())
/** Longer ones are refused. */
const id = text.max(64)
const made = (prefix: string) => id.regex(new RegExp(`^${prefix}_`)).nullish()
const status = z.enum(['in_progress', 'completed', 'incomplete']).nullish()
/** Codex sends it with messages, calls and results to whoever it takes for OpenAI. */
const ofCodex = { internal_chat_message_metadata_passthrough: anything }

const inputPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text, prompt_cache_breakpoint: anything }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: text.nullish(),
    file_id: text.nullish(),
    detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
  }),
  z.strictObject({
    type: z.literal('input_file'),
    file_data: text.nullish(),
    file_id: text.nullish(),
    file_url: text.nullish(),
    filename: text.nullish(),
    detail: anything,
  }),
])
const outputPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('output_text'), text, annotations: z.array(object).nullish(), logprobs: anything }),
  z.strictObject({ type: z.literal('refusal'), refusal: text }),
])
const output = z.union([text, z.array(inputPart)])

const message = z.discriminatedUnion('role', [
  z.strictObject({
    type: z.literal('message').optional(),
    id: made('msg'),
    role: z.enum(['user', 'system', 'developer']),
    content: z.union([text, z.array(inputPart)]),
    status,
    ...ofCodex,
  }),
  z.strictObject({
    type: z.literal('message').optional(),
    id: made('msg'),
    role: z.literal('assistant'),
    content: z.union([text, z.array(outputPart)]),
    status,
    phase: anything,
    ...ofCodex,
  }),
])

const caller = { ...ofCodex, caller: anything, namespace: text.nullish(), created_by: anything }
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function_call'),
    id: made('fc'),
    call_id: id.min(1),
    name: text.min(1),
    arguments: text,
    status,
    ...caller,
  }),
  z
    .strictObject({ type: z.literal('function_call_output'), id, call_id: id.min(1), output, status, ...caller })
    .partial({ id: true }),
  z.strictObject({
    type: z.literal('custom_tool_call'),
    id: made('ctc'),
    call_id: id,
    name: text,
    input: text,
    status,
    ...caller,
  }),
  z
    .strictObject({ type: z.literal('custom_tool_call_output'), id, call_id: id, output, status, ...caller })
    .partial({ id: true }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: made('rs'),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text })),
    content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text })).nullish(),
    encrypted_content: text.nullish(),
    status,
    ...ofCodex,
  }),
  z.strictObject({ type: z.literal('item_reference'), id }),
  z.looseObject({ type: z.enum(['web_search_call', 'file_search_call', 'computer_call', 'computer_call_output']) }),
  z.looseObject({ type: z.enum(['code_interpreter_call', 'image_generation_call', 'mcp_call', 'mcp_list_tools']) }),
  z.looseObject({
    type: z.enum(['mcp_approval_request', 'mcp_approval_response', 'compaction', 'compaction_trigger']),
  }),
  z.looseObject({ type: z.enum(['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output']) }),
  z.looseObject({
    type: z.enum(['apply_patch_call', 'apply_patch_call_output', 'tool_search_call', 'tool_search_output']),
  }),
  z.looseObject({ type: z.enum(['additional_tools', 'program', 'program_output']) }),
])

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: functionName,
  description: text.nullish(),
  parameters: object.nullish(),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  allowed_callers: anything,
  output_schema: anything,
})
const customTool = z.strictObject({
  type: z.literal('custom'),
  name: functionName,
  description: text.optional(),
  defer_loading: z.boolean().optional(),
  allowed_callers: anything,
  format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('grammar'), definition: text, syntax: z.enum(['lark', 'regex']) }),
    ])
    .optional(),
})
const tool = z.discriminatedUnion('type', [
  functionTool,
  customTool,
  z.strictObject({
    type: z.literal('namespace'),
    name: text,
    description: text,
    tools: z.array(z.discriminatedUnion('type', [functionTool, customTool])),
  }),
  z.looseObject({ type: z.enum(['web_search', 'web_search_2025_08_26', 'web_search_preview', 'file_search', 'mcp']) }),
  z.looseObject({ type: z.enum(['code_interpreter', 'image_generation', 'local_shell', 'shell', 'apply_patch']) }),
  z.looseObject({ type: z.enum(['computer', 'computer_use_preview', 'tool_search', 'programmatic_tool_calling']) }),
])

const format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['text', 'json_object']) }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: text.regex(/^[a-zA-Z0-9_-]+$/).max(64),
    description: text.nullish(),
    schema: object,
    strict: z.boolean().nullish(),
  }),
])

const includable = z.enum([
  ...(['file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources'] as const),
  ...(['message.input_image.image_url', 'computer_call_output.output.image_url'] as const),
  ...(['code_interpreter_call.outputs', 'reasoning.encrypted_content', 'message.output_text.logprobs'] as const),
])

export const responsesShape = z.strictObject({
  model: text,
  input: z.union([text, z.array(z.union([item, message]))]).optional(),
  background: z.boolean().nullish(),
  client_metadata: anything,
  context_management: anything,
  conversation: anything,
  include: z.array(includable).nullish(),
  instructions: text.nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  max_tool_calls: z.number().int().nullish(),
  metadata,
  moderation: anything,
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: text.nullish(),
  prompt: anything,
  prompt_cache_key: text.max(64).nullish(),
  prompt_cache_options: anything,
  prompt_cache_retention: anything,
  reasoning: z
    .strictObject({
      effort: text.nullish(),
      summary: text.nullish(),
      generate_summary: text.nullish(),
      context: anything,
      mode: anything,
    })
    .nullish(),
  safety_identifier: text.nullish(),
  service_tier: tier,
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z.strictObject({ format: format.optional(), verbosity }).nullish(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: text })]).nullish(),
  tools: z.array(tool).nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: text.nullish(),
})

export type ResponsesBody = z.infer<typeof responsesShape>
