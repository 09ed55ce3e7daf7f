// The members of a channel's `setting`, as operators fill them in: forms, the terminal's help and refusals say these words.
import { NO_LIMIT, type Field } from '../contract/field.ts'
import { words } from '../errors.ts'

const AS_THE_SITE = words('as set for the site', '按站点设置')
const seconds = words('seconds', '秒')

export const channelSettingFields = {
  proxy: {
    label: words('Proxy', '代理'),
    help: words(
      'Calls to the provider go through it; a password in it is kept encrypted and not shown again',
      '对服务商的调用经由此代理；其中的密码加密保存，不再显示',
    ),
    kind: 'address',
    protocols: ['http', 'https', 'socks5'],
    example: 'socks5://127.0.0.1:1080',
  },
  headers: {
    label: words('Headers', '请求头'),
    help: words(
      'Added to every request, in place of those of the same name; the values are kept encrypted and not shown again',
      '添加到每个请求，并取代同名的请求头；值加密保存，不再显示',
    ),
    kind: 'pairs',
    example: { 'X-Team': 'research' },
  },
  head_timeout_seconds: {
    label: words('Longest wait for the beginning', '响应开始的最长等待'),
    help: words(
      'Until the first byte of an answer; for all models of the channel, or by model',
      '直到回答的第一个字节；适用于渠道的全部模型，或按模型填写',
    ),
    kind: 'by_model',
    unit: seconds,
    zero: NO_LIMIT,
    unset: AS_THE_SITE,
    example: 60,
  },
  first_content_timeout_seconds: {
    label: words('Longest wait for the first content', '首个内容的最长等待'),
    help: words('For all models of the channel, or by model', '适用于渠道的全部模型，或按模型填写'),
    kind: 'by_model',
    unit: seconds,
    zero: NO_LIMIT,
    unset: AS_THE_SITE,
    example: 30,
  },
  idle_timeout_seconds: {
    label: words('Longest silence', '最长静默时间'),
    help: words('For all models of the channel, or by model', '适用于渠道的全部模型，或按模型填写'),
    kind: 'by_model',
    unit: seconds,
    zero: NO_LIMIT,
    unset: AS_THE_SITE,
    example: 120,
  },
  system_prompt: {
    label: words('System prompt', '系统提示词'),
    help: words(
      'System prompt for callers that send none',
      '调用方未给出系统提示词时使用',
    ),
    kind: 'long_text',
    example: 'Answer briefly.',
  },
  system_prompt_override: {
    label: words('System prompt first', '系统提示词优先'),
    help: words(
      "The system prompt also stands before one that the caller gives",
      '调用方给出系统提示词时，也置于其之前',
    ),
    example: false,
  },
  thinking_to_content: {
    label: words('Thoughts in the text', '思考内容并入正文'),
    help: words(
      'To clients of chat completions thoughts are the beginning of the text, between <think> and </think>',
      '对 chat completions 客户端，将思考内容置于正文开头的 <think> 与 </think> 之间',
    ),
    example: false,
  },
  force_format: {
    label: words('Standard answers', '标准格式'),
    help: words(
      "Answers in the caller's own format are normalized to their standard shape",
      '与调用方格式相同的回答也按标准格式重新写出',
    ),
    example: true,
  },
  tidy_answers: {
    label: words('Tidy answers', '整理回答'),
    help: words('Chat answers lose what strict clients refuse', '修正 chat 回答中严格客户端不接受的内容'),
    example: true,
  },
  requested_model_in_answers: {
    label: words('Asked model in answers', '返回请求的模型名'),
    help: words(
      'Answers name the model that was asked for instead of the one that it was mapped to',
      '回答中给出所请求的模型名，而不是重定向后的模型名',
    ),
    example: false,
  },
  pass_through_body_enabled: {
    label: words('Pass requests through', '请求透传'),
    help: words(
      "Requests in the provider's own format go out as they came, but for the model",
      '与服务商格式相同的请求原样发出，仅替换模型名',
    ),
    example: false,
  },
  mend_requests: {
    label: words('Mend requests', '修正请求'),
    help: words(
      "Requests in the provider's own format lose, and name, what their model refuses; calls and results are put in order",
      '与服务商格式相同的请求也去除模型不接受的内容并予以说明，工具调用及其结果也会按序排列',
    ),
    example: false,
  },
  also_takes: {
    label: words('Also takes', '另外接受'),
    help: words(
      'Beta flags and fields of Anthropic that this cloud accepts in addition to the known ones; * for all. Others are left out and reported to the caller',
      '此云服务另外接受的 Anthropic beta 标志与字段；* 表示全部。其余的会被去除并告知调用方',
    ),
    kind: 'list',
    example: 'fast-mode-2026-02-01, tools.defer_loading',
  },
  hang_up: {
    label: words('When a caller hangs up', '调用方断开时'),
    help: words(
      'Handling of an answer whose caller disconnects before its end',
      '调用方在回答结束前断开时，如何处理其余的回答',
    ),
    choices: [
      words('Abort where all that costs was seen, else finish', '计费内容均已可见时中止，否则读完'),
      words('Finish: read on, and charge by the usage', '读完并按用量计费'),
      words('Abort: stop the provider, and charge what has arrived', '立即中止，按已收到的内容计费'),
    ],
    unset: AS_THE_SITE,
    example: 'auto',
  },
  bills_cut_streams: {
    label: words('Bills cut streams', '中断的流计费'),
    help: words(
      'Off where the provider bills nothing for streams that are cut',
      '服务商对中断的流不计费时关闭',
    ),
    initially: true,
    example: false,
  },
  scheduled_tests: {
    label: words('Scheduled tests', '定时测试'),
    help: words('Off to skip the channel', '关闭后跳过该渠道'),
    initially: true,
    example: false,
  },
} as const satisfies Record<string, Field>
