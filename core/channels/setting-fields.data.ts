// The members of a channel's `setting`, as operators fill them in: forms, the terminal's help and errors use these
// texts.
import { ZERO_IS_NO_LIMIT, type FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

const AS_THE_SITE = words('as set for the site')
const seconds = words('seconds')

export const channelSettingFields = {
  proxy: {
    label: words('Proxy'),
    help: words('Calls to the provider go through it; a password in it is stored encrypted and not shown again'),
    kind: 'address',
    protocols: ['http', 'https', 'socks5'],
    example: 'socks5://127.0.0.1:1080',
  },
  headers: {
    label: words('Headers'),
    help: words('Added to every request, replacing headers of the same name; the values are stored encrypted and not shown again'),
    kind: 'pairs',
    example: { 'X-Team': 'research' },
  },
  head_timeout_seconds: {
    label: words('Longest wait for the beginning'),
    help: words('Until the first byte of an answer; for all models of the channel, or by model'),
    kind: 'by_model',
    unit: seconds,
    zero: ZERO_IS_NO_LIMIT,
    unset: AS_THE_SITE,
    example: 60,
  },
  first_content_timeout_seconds: {
    label: words('Longest wait for the first content'),
    help: words('For all models of the channel, or by model'),
    kind: 'by_model',
    unit: seconds,
    zero: ZERO_IS_NO_LIMIT,
    unset: AS_THE_SITE,
    example: 30,
  },
  idle_timeout_seconds: {
    label: words('Longest silence'),
    help: words('For all models of the channel, or by model'),
    kind: 'by_model',
    unit: seconds,
    zero: ZERO_IS_NO_LIMIT,
    unset: AS_THE_SITE,
    example: 120,
  },
  system_prompt: {
    label: words('System prompt'),
    help: words('System prompt for callers that send none'),
    kind: 'long_text',
    example: 'Answer briefly.',
  },
  system_prompt_override: {
    label: words('System prompt first'),
    help: words('The system prompt also stands before one that the caller gives'),
    example: false,
  },
  thinking_to_content: {
    label: words('Thoughts in the text'),
    help: words('To clients of chat completions thoughts are the beginning of the text, between <think> and </think>'),
    example: false,
  },
  force_format: {
    label: words('Standard answers'),
    help: words("Answers in the caller's own format are normalized to their standard shape"),
    example: true,
  },
  tidy_answers: {
    label: words('Tidy answers'),
    help: words('Chat answers lose what strict clients refuse'),
    example: true,
  },
  requested_model_in_answers: {
    label: words('Requested model in responses'),
    help: words('Responses name the requested model instead of the one that it is mapped to'),
    example: false,
  },
  pass_through_body_enabled: {
    label: words('Pass requests through'),
    help: words("Requests in the provider's own format go out as they came, but for the model"),
    example: false,
  },
  mend_requests: {
    label: words('Mend requests'),
    help: words("In requests in the provider's own format, fields that the model refuses are removed and reported, and tool calls and results are put in order"),
    example: false,
  },
  also_takes: {
    label: words('Also takes'),
    help: words('Beta flags and fields of Anthropic that this cloud accepts in addition to the known ones; * for all. Others are left out and reported to the caller'),
    kind: 'list',
    example: 'fast-mode-2026-02-01, tools.defer_loading',
  },
  hang_up: {
    label: words('When a caller hangs up'),
    help: words('Handling of an answer whose caller disconnects before its end'),
    choices: [
      words('Abort where all that costs was seen, else finish'),
      words('Finish: read on, and charge by the usage'),
      words('Abort: stop the provider, and charge what has arrived'),
    ],
    unset: AS_THE_SITE,
    example: 'auto',
  },
  bills_cut_streams: {
    label: words('Bills cut streams'),
    help: words('Off where the provider bills nothing for streams that are cut'),
    initially: true,
    example: false,
  },
  scheduled_tests: {
    label: words('Scheduled tests'),
    help: words('Off to skip the channel'),
    initially: true,
    example: false,
  },
} as const satisfies Record<string, FieldDeclaration>
