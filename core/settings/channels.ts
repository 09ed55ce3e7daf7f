// Settings of channels: when one is switched off or on by itself.
import { choice, count, decimal, flag, longText, setting } from './setting.ts'

const section = 'channels'

export const channelSettings = {
  AutomaticDisableChannelEnabled: setting({
    value: flag(false),
    label: 'Disable failing channels',
    help: 'A channel whose failure says that its key or account is bad is switched off',
    section,
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
    label: 'Words that disable a channel',
    help: 'One per line, searched in the failure message in any case',
    section,
    writer: 'admin',
  }),
  AutomaticEnableChannelEnabled: setting({
    value: flag(false),
    label: 'Enable channels that pass a test',
    help: 'A channel that was switched off by itself is switched on again when a test of it passes',
    section,
    writer: 'admin',
  }),
  ChannelDisableThreshold: setting({
    value: decimal(5),
    label: 'Slowest passing test',
    help: 'A test slower than this disables the channel; 0 for no limit',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  StreamCacheQueueLength: setting({
    value: count(0),
    label: 'Stream cache',
    help: 'Kept for other clients: streams are passed on as they come, nothing is queued',
    section,
    writer: 'admin',
  }),
  'channels.test_minutes': setting({
    value: count(0, { max: 10_080 }),
    label: 'Test channels every',
    help: 'Channels are tested by themselves this often; 0 for never',
    section,
    writer: 'admin',
    unit: 'minutes',
  }),
  'channels.test_which': setting({
    value: choice(['disabled', 'all'], 'disabled'),
    label: 'Channels that are tested',
    help: 'Only those that were switched off by themselves, or all but those that somebody switched off',
    section,
    writer: 'admin',
  }),
  'channels.cooldown_failures': setting({
    value: count(3, { max: 1000 }),
    label: 'Failures before a cooldown',
    help: 'After so many failures in a row within a minute a channel gets no calls for a while (for that model and key); 0 for never',
    section,
    writer: 'admin',
  }),
  'channels.cooldown_seconds': setting({
    value: count(30, { min: 1, max: 86_400 }),
    label: 'Length of a cooldown',
    help: 'Where the provider does not say how long to wait. Then one call tries it again',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  'channels.affinity_enabled': setting({
    value: flag(true),
    label: 'Keep to the channel that has the prompt cached',
    help: 'Long prompts that begin alike go to the same channel and key, as long as the provider keeps its cache and the channel is healthy',
    section,
    writer: 'admin',
  }),
}
