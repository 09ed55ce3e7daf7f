// Tencent Hunyuan's own interface (TencentCloud/tencentcloud-cli: tccli/examples/hunyuan/v20230901/ChatCompletions.md):
// OpenAI's fields with capital letters, inside a `Response` if not streamed.
import type { ContentPart, Message, ModelRequest, WrittenRequest } from '../model-request.ts'
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asList,
  getMember,
  asFiniteNumber,
  asObject,
  parseJsonBytes,
  asText,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import {
  createProviderDialect,
  startEvent,
  listNonTextParts,
  buildUsageEvents,
  buildFailureEvent,
  finishEvent,
  buildTextEvents,
  joinTextParts,
  listUnsupportedFields,
  UNREADABLE_ANSWER,
  createStreamReader,
} from './provider-only.ts'

const WORDS = ['temperature', 'top_p', 'seed', 'stop', 'tools', 'tool_choice'] as const

export const hunyuanChatDialect = createProviderDialect({
  name: 'hunyuan-chat',
  writeModelRequest: writeRequest,
  reader,
  readWholeReply: readReply,
})

/** Content other than text that this format supports. */
const SUPPORTED = new Set(['image_url', 'tool_calls'])

function writeRequest(request: ModelRequest): WrittenRequest {
  const { model, stream, messages, temperature, top_p, seed, stop, tools, tool_choice } = request
  const dropped = new Set(listUnsupportedFields(request, WORDS))
  for (const name of messages.flatMap(listNonTextParts)) if (!SUPPORTED.has(name)) dropped.add(name)
  if (tool_choice === 'required') dropped.add('tool_choice')
  if (tools?.some(({ strict }) => strict)) dropped.add('tools.strict')
  if (tools?.some(({ cache }) => cache)) dropped.add('cache_control')
  const body = omitUndefinedMembers({
    Model: model,
    Messages: messages.map(writeMessage),
    Stream: stream,
    Temperature: temperature,
    TopP: top_p,
    Seed: seed,
    Stop: stop,
    Tools: tools?.map(({ name, description, parameters }) => ({
      Type: 'function',
      Function: omitUndefinedMembers({
        Name: name,
        Description: description,
        Parameters: JSON.stringify(parameters ?? {}),
      }),
    })),
    ...writeChoice(tool_choice),
  })
  return { body: toJsonBytes(body), dropped: [...dropped] }
}

/** Writes the tool choice: none, automatic, or a certain tool (`custom`). */
function writeChoice(choice: ModelRequest['tool_choice']): JsonObject {
  if (typeof choice !== 'object') return choice === 'none' || choice === 'auto' ? { ToolChoice: choice } : {}
  return { ToolChoice: 'custom', CustomTool: { Type: 'function', Function: { Name: choice.name } } }
}

const writeMessage = ({ role, content, tool_calls, tool_call_id }: Message): JsonObject =>
  omitUndefinedMembers({
    Role: role,
    ...(content.some(({ type }) => type === 'image')
      ? { Contents: content.flatMap(writePart) }
      : { Content: joinTextParts(content) }),
    ToolCallId: tool_call_id,
    ToolCalls: tool_calls?.map(({ id, name, arguments: text }) => ({
      Id: id,
      Type: 'function',
      Function: { Name: name, Arguments: text },
    })),
  })

function writePart(part: ContentPart): JsonObject[] {
  if (part.type === 'text') return [{ Type: 'text', Text: part.text }]
  return part.type === 'image' ? [{ Type: 'image_url', ImageUrl: { Url: part.url } }] : []
}

function reader() {
  return createStreamReader({
    findFailure,
    start: ({ Id, Created }) => startEvent(Id, Created),
    used: readUsage,
    say: (chunk) => readChoices(chunk, 'Delta'),
  })
}

function readReply(body: Uint8Array): UnassembledEvent[] {
  const answer = asObject(getMember(parseJsonBytes(body), 'Response'))
  if (!answer) return [buildFailureEvent(502, UNREADABLE_ANSWER)]
  const failure = findFailure(answer)
  if (failure) return [...readUsage(answer), failure]
  const opening = startEvent(answer.Id, answer.Created)
  return [opening, ...readChoices(answer, 'Message'), ...readUsage(answer), { type: 'end' }]
}

const reasons: Record<string, FinishReason> = { stop: 'stop', sensitive: 'content_filter', tool_calls: 'tool_calls' }

function readChoices({ Choices }: JsonObject, place: 'Delta' | 'Message'): UnassembledEvent[] {
  return (asList(Choices) ?? []).flatMap((choice) => {
    const { Content, ReasoningContent, ToolCalls } = asObject(getMember(choice, place)) ?? {}
    const reason = asText(getMember(choice, 'FinishReason'))
    return [
      ...buildTextEvents(ReasoningContent, 'reasoning'),
      ...buildTextEvents(Content),
      ...(asList(ToolCalls) ?? []).map((call, at, all) => readCall(call, place, all.length > 1 ? at : undefined)),
      ...(reason ? [finishEvent(reasons[reason])] : []),
    ]
  })
}

function readCall(call: unknown, place: 'Delta' | 'Message', position: number | undefined): UnassembledEvent {
  const id = asText(getMember(call, 'Id'))
  const name = asText(getMember(getMember(call, 'Function'), 'Name'))
  return {
    type: 'tool_call',
    index: asFiniteNumber(getMember(call, 'Index')),
    position,
    choice: 0,
    ...(place === 'Message' ? { isWhole: true } : {}),
    ...(id ? { id } : {}),
    ...(name ? { name } : {}),
    arguments: asText(getMember(getMember(call, 'Function'), 'Arguments')) ?? '',
  }
}

const readUsage = ({ Usage }: JsonObject): ModelEvent[] =>
  buildUsageEvents(getMember(Usage, 'PromptTokens'), getMember(Usage, 'CompletionTokens'))

/** Returns the failure: `Error` before the stream, `ErrorMsg` inside it; always with status 200. */
function findFailure({ Error, ErrorMsg }: JsonObject): ModelEvent | undefined {
  const code =
    asText(getMember(Error, 'Code')) ??
    asText(getMember(ErrorMsg, 'Code')) ??
    asFiniteNumber(getMember(ErrorMsg, 'Code'))
  const message = asText(getMember(Error, 'Message')) ?? asText(getMember(ErrorMsg, 'Msg'))
  if (code === undefined && message === undefined) return undefined
  return buildFailureEvent(getErrorStatus(code), message, code ?? null)
}

/** Returns the HTTP status for Tencent Cloud's common error codes. */
function getErrorStatus(code: string | number | undefined): number {
  const family = typeof code === 'string' ? code.split('.')[0] : undefined
  if (family === undefined) return 502
  if (family === 'AuthFailure') return 401
  if (family === 'UnauthorizedOperation') return 403
  if (family === 'RequestLimitExceeded' || family === 'LimitExceeded') return 429
  if (family === 'ResourceInsufficient') return 402
  return family === 'InternalError' ? 500 : 400
}
