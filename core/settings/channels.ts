// Settings for disabling and enabling channels automatically.
import { ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { choice, count, decimal, flag, longText, setting, settingUnits } from './setting.ts'

export const channelSettings = {
  AutomaticDisableChannelEnabled: setting({
    value: flag(false),
    label: words('Disable failing channels'),
    help: words('A channel is switched off if a failure shows that its key or account is bad'),
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
    label: words('Words that disable a channel'),
    help: words('One per line, searched in the failure message in any case'),
    card: 'operation.monitoring',
    order: 50,
    shownWhen: { AutomaticDisableChannelEnabled: true },
    writer: 'admin',
  }),
  AutomaticEnableChannelEnabled: setting({
    value: flag(false),
    label: words('Enable channels that pass a test'),
    help: words('A channel that was disabled automatically is enabled again when it passes a test'),
    card: 'operation.monitoring',
    order: 40,
    writer: 'admin',
  }),
  ChannelDisableThreshold: setting({
    value: decimal(5),
    label: words('Slowest passing test'),
    help: words('A test slower than this disables the channel'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'operation.monitoring',
    order: 10,
    unit: settingUnits.seconds,
    writer: 'admin',
  }),
  StreamCacheQueueLength: setting({
    value: count(0),
    label: words('Stream cache'),
    help: words('Kept for other clients: streams are passed on as they come, nothing is queued'),
    card: 'operation.waits',
    order: 130,
    writer: 'admin',
  }),
  'channels.test_minutes': setting({
    value: count(0, { max: 10_080 }),
    label: words('Test channels every'),
    help: words('Channels are tested by themselves this often'),
    zero: words('never', { context: 'test' }),
    card: 'operation.monitoring',
    order: 60,
    unit: settingUnits.minutes,
    writer: 'admin',
  }),
  'channels.test_which': setting({
    value: choice(['disabled', 'all'], 'disabled', [
      words('Switched off by themselves'),
      words('All except those disabled manually'),
    ]),
    label: words('Channels that are tested'),
    help: words('Only automatically disabled channels, or all except manually disabled ones'),
    card: 'operation.monitoring',
    order: 70,
    writer: 'admin',
  }),
  'channels.cooldown_failures': setting({
    value: count(3, { max: 1000 }),
    label: words('Failures before a cooldown'),
    help: words(
      'Number of consecutive failures within a minute after which a channel gets no calls for a while (for that model and key)',
    ),
    zero: words('never'),
    card: 'operation.routing',
    order: 30,
    writer: 'admin',
  }),
  'channels.cooldown_seconds': setting({
    value: count(30, { min: 1, max: 86_400 }),
    label: words('Length of a cooldown'),
    help: words('If the provider does not report how long to wait. Then one call tries it again'),
    card: 'operation.routing',
    order: 40,
    unit: settingUnits.seconds,
    writer: 'admin',
  }),
  'channels.affinity_enabled': setting({
    value: flag(true),
    label: words('Keep to the channel that has the prompt cached'),
    help: words(
      'Long prompts that begin alike go to the same channel and key, as long as the provider keeps its cache and the channel is healthy',
    ),
    card: 'operation.routing',
    order: 50,
    writer: 'admin',
  }),
}
