// Settings for disabling and enabling channels automatically.
import { NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { choice, count, decimal, flag, longText, setting, units } from './setting.ts'

export const channelSettings = {
  AutomaticDisableChannelEnabled: setting({
    value: flag(false),
    label: words('Disable failing channels', '失败时自动禁用通道'),
    help: words(
      'A channel is switched off if a failure shows that its key or account is bad',
      '失败表明密钥或账户有问题时，自动禁用渠道',
    ),
    card: 'operation.monitoring',
    order: 30,
    writer: 'admin',
  }),
  AutomaticDisableKeywords: setting({
    value: longText(
      [
        'Your credit balance is too low',
        'This organization has been disabled.',
        'You exceeded your current quota',
        'Permission denied',
        'The security token included in the request is invalid',
        'Operation not allowed',
        'Your account is not authorized',
      ].join('\n'),
    ),
    label: words('Words that disable a channel', '自动禁用关键词'),
    help: words(
      'One per line, searched in the failure message in any case',
      '每行一个，在失败信息中查找，不区分大小写',
    ),
    card: 'operation.monitoring',
    order: 50,
    shownWhen: { AutomaticDisableChannelEnabled: true },
    writer: 'admin',
  }),
  AutomaticEnableChannelEnabled: setting({
    value: flag(false),
    label: words('Enable channels that pass a test', '成功时自动启用通道'),
    help: words(
      'A channel that was switched off by itself is switched on again when a test of it passes',
      '自动禁用的渠道测试通过后重新启用',
    ),
    card: 'operation.monitoring',
    order: 40,
    writer: 'admin',
  }),
  ChannelDisableThreshold: setting({
    value: decimal(5),
    label: words('Slowest passing test', '最长响应时间'),
    help: words('A test slower than this disables the channel', '测试超过该时间的渠道会被禁用'),
    zero: NO_LIMIT,
    card: 'operation.monitoring',
    order: 10,
    unit: units.seconds,
    writer: 'admin',
  }),
  StreamCacheQueueLength: setting({
    value: count(0),
    label: words('Stream cache', '流缓存长度'),
    help: words(
      'Kept for other clients: streams are passed on as they come, nothing is queued',
      '为兼容其他客户端保留：流按收到的顺序直接转发，不排队',
    ),
    card: 'operation.routing',
    order: 130,
    writer: 'admin',
  }),
  'channels.test_minutes': setting({
    value: count(0, { max: 10_080 }),
    label: words('Test channels every', '自动测试间隔'),
    help: words('Channels are tested by themselves this often', '每隔多久自动测试渠道'),
    zero: words('never', '不测试'),
    card: 'operation.monitoring',
    order: 60,
    unit: units.minutes,
    writer: 'admin',
  }),
  'channels.test_which': setting({
    value: choice(['disabled', 'all'], 'disabled', [
      words('Switched off by themselves', '被自动禁用的'),
      words('All except those disabled by hand', '除手动禁用外的全部'),
    ]),
    label: words('Channels that are tested', '自动测试的渠道'),
    help: words(
      'Only those that were switched off by themselves, or all but those that somebody switched off',
      '仅测试被自动禁用的渠道，或测试除手动禁用外的全部渠道',
    ),
    card: 'operation.monitoring',
    order: 70,
    writer: 'admin',
  }),
  'channels.cooldown_failures': setting({
    value: count(3, { max: 1000 }),
    label: words('Failures before a cooldown', '冷却前的失败次数'),
    help: words(
      'After so many failures in a row within a minute a channel gets no calls for a while (for that model and key)',
      '一分钟内连续失败这么多次后，渠道（就该模型和密钥而言）暂停调用',
    ),
    zero: words('never', '从不'),
    card: 'operation.routing',
    order: 30,
    writer: 'admin',
  }),
  'channels.cooldown_seconds': setting({
    value: count(30, { min: 1, max: 86_400 }),
    label: words('Length of a cooldown', '冷却时长'),
    help: words(
      'If the provider does not say how long to wait. Then one call tries it again',
      '服务商未说明等待时间时使用；之后由一次调用试探',
    ),
    card: 'operation.routing',
    order: 40,
    unit: units.seconds,
    writer: 'admin',
  }),
  'channels.affinity_enabled': setting({
    value: flag(true),
    label: words('Keep to the channel that has the prompt cached', '优先使用已缓存提示的渠道'),
    help: words(
      'Long prompts that begin alike go to the same channel and key, as long as the provider keeps its cache and the channel is healthy',
      '开头相同的长提示，在服务商保留缓存且渠道正常期间，发往同一渠道和密钥',
    ),
    card: 'operation.routing',
    order: 50,
    writer: 'admin',
  }),
}
