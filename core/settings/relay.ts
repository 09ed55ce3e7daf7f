// Settings of the relay: retries, time limits, keep-alive.
import { NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { z } from 'zod'
import { HANG_UPS } from './hang-up.ts'
import { choice, count, flag, json, setting, units } from './setting.ts'

export const relay = {
  RetryTimes: setting({
    value: count(2, { max: 20 }),
    label: words('Retries', '失败重试次数'),
    help: words('How many further channels a failing call may try', '调用失败后最多再尝试几个渠道'),
    card: 'operation.general',
    order: 40,
    writer: 'admin',
  }),
  FallbackModels: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.array(z.string()))), {}),
    label: words('Fallback models', '备用模型'),
    help: words(
      'JSON {group: {model: [models]}}: tried in this order, each at its own price, when every channel of the model has failed. A token that names its own goes by those',
      'JSON {分组: {模型: [模型]}}：模型的全部渠道失败后依次尝试，各按自己的价格计费。令牌自带备用模型时以令牌为准',
    ),
    card: 'operation.routing',
    order: 20,
    writer: 'admin',
  }),
  'relay.first_content_seconds': setting({
    value: count(0, { max: 3600 }),
    label: words('Longest wait for the first content', '首个内容的最长等待'),
    help: words(
      'A stream that says nothing for this long is given up and the next channel is tried. A channel may set its own in its setting: first_content_timeout_seconds, for all models or by model',
      '流在这段时间内没有内容则放弃并尝试下一个渠道。渠道可在其设置中用 first_content_timeout_seconds 单独指定，可按模型',
    ),
    zero: NO_LIMIT,
    card: 'operation.routing',
    order: 60,
    unit: units.seconds,
    writer: 'admin',
  }),
  'relay.idle_timeout_seconds': setting({
    value: count(120, { min: 1, max: 3600 }),
    label: words('Longest silence', '最长静默时间'),
    help: words(
      'An upstream that sends nothing for this long is given up. A channel may set its own in its setting: idle_timeout_seconds',
      '上游在这段时间内没有任何数据则放弃。渠道可在其设置中用 idle_timeout_seconds 单独指定',
    ),
    card: 'operation.routing',
    order: 70,
    unit: units.seconds,
    writer: 'admin',
  }),
  'relay.hang_up': setting({
    value: choice(HANG_UPS, 'auto', [
      words('As the call allows', '视调用而定'),
      words('Finish the answer', '读完回答'),
      words('Stop the provider', '停止上游'),
    ]),
    label: words('When a caller hangs up', '调用方断开时'),
    help: words(
      'finish: the answer is read on in the background and charged by its usage. abort: the provider is told at once, and what came is charged. auto: abort where all that costs was seen (plain streamed text), else finish. A channel may say otherwise in its setting: hang_up; and bills_cut_streams: false where its provider bills nothing for streams that are cut',
      'finish：在后台继续读完并按用量计费。abort：立即通知服务商，按已收到的内容计费。auto：计费内容均已可见（纯文本流）时 abort，否则 finish。渠道可在其设置中用 hang_up 单独指定；服务商对中断的流不计费时填写 bills_cut_streams: false',
    ),
    card: 'operation.routing',
    order: 80,
    writer: 'proven_admin',
  }),
  'relay.hang_up_seconds': setting({
    value: count(600, { min: 1, max: 3600 }),
    label: words('Longest reading on', '断开后的最长读取时间'),
    help: words(
      'An answer whose caller has hung up is read on for at most this long',
      '调用方断开后，回答最多继续读取这么久',
    ),
    card: 'operation.routing',
    order: 90,
    unit: units.seconds,
    writer: 'admin',
  }),
  'relay.max_body_megabytes': setting({
    value: count(32, { min: 1, max: 1024 }),
    label: words('Largest request body', '最大请求体'),
    help: words('Bigger requests are refused', '更大的请求会被拒绝'),
    card: 'operation.routing',
    order: 100,
    unit: units.mebibytes,
    writer: 'admin',
  }),
  'global.pass_through_request_enabled': setting({
    value: flag(false),
    label: words('Pass requests through', '请求透传'),
    help: words(
      'Request bodies go to the provider unchanged; mapping and adapters stop working',
      '请求体原样发给服务商；模型映射和渠道适配失效',
    ),
    card: 'models.global',
    order: 10,
    danger: words(
      'pass-through sends requests upstream unchanged; mapping and adapters stop working',
      '透传后请求原样发给上游，模型映射和渠道适配失效',
    ),
    dangerAt: true,
    writer: 'admin',
  }),
  'general_setting.ping_interval_enabled': setting({
    value: flag(false),
    label: words('Keep-alive pings', '启用保活'),
    help: words(
      'Open streams get a comment line now and then, so that proxies do not close them',
      '定时向打开的流写入注释行，避免被代理关闭',
    ),
    card: 'models.global',
    order: 20,
    danger: words(
      'once ping bytes are written a failing request cannot be retried; choose a long interval',
      '写入保活数据后请求失败将无法重试，建议设置较大的间隔',
    ),
    dangerAt: true,
    writer: 'admin',
  }),
  'general_setting.ping_interval_seconds': setting({
    value: count(60, { min: 1, max: 3600 }),
    label: words('Ping interval', '保活间隔'),
    help: words('Time between two pings', '两次保活之间的时间'),
    card: 'models.global',
    order: 30,
    unit: units.seconds,
    shownWhen: { 'general_setting.ping_interval_enabled': true },
    writer: 'admin',
  }),
  'responses.keep_hours': setting({
    value: count(720, { max: 8760 }),
    label: words('Keep answers', '保存回答'),
    help: words(
      'How long answers of channels that keep none themselves (Anthropic, Gemini, …) are kept for callers of the Responses API, encrypted, so that they can be gone on with by previous_response_id. An answer asked for with store: false is never kept',
      '自身不保存回答的渠道（Anthropic、Gemini 等），其回答为 Responses API 的调用方加密保存多久，以便用 previous_response_id 继续。以 store: false 请求的回答从不保存',
    ),
    zero: words('keeping none', '不保存'),
    card: 'models.responses',
    order: 10,
    unit: units.hours,
    writer: 'admin',
  }),
  'responses.keep_megabytes': setting({
    value: count(8, { min: 1, max: 256 }),
    label: words('Largest kept answer', '单个保存回答的上限'),
    help: words('With its whole conversation; larger ones are not kept', '含其完整对话；更大的不保存'),
    card: 'models.responses',
    order: 20,
    unit: units.mebibytes,
    writer: 'admin',
  }),
  'responses.keep_per_user': setting({
    value: count(1000, { min: 1, max: 1_000_000 }),
    label: words('Kept answers of a user', '每位用户保存的回答数'),
    help: words('Beyond it the oldest go', '超出后删除最旧的'),
    card: 'models.responses',
    order: 30,
    writer: 'admin',
  }),
  'responses.keep_megabytes_per_user': setting({
    value: count(128, { min: 1, max: 1_048_576 }),
    label: words('Size of the kept answers of a user', '每位用户保存回答的总量'),
    help: words('Beyond it the oldest go', '超出后删除最旧的'),
    card: 'models.responses',
    order: 40,
    unit: units.mebibytes,
    writer: 'admin',
  }),
}
