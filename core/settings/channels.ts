// Settings of channels: when one is switched off or on by itself.
import { decimal, flag, longText, setting } from './setting.ts'

const section = 'channels'

export const channels = {
  AutomaticDisableChannelEnabled: setting({
    value: flag(false),
    label: 'Disable failing channels',
    help: 'A channel whose failure says that its key or account is bad is switched off',
    section,
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
  }),
  ChannelDisableThreshold: setting({
    value: decimal(5),
    label: 'Slowest passing test',
    help: 'A test slower than this disables the channel; 0 for no limit',
    section,
    unit: 'seconds',
  }),
}
