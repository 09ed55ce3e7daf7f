// Settings of drawing tasks (Midjourney proxies).
import { flag, setting } from './setting.ts'

const section = 'drawing'

export const drawing = {
  MjNotifyEnabled: setting({
    value: flag(false),
    label: 'Callbacks',
    help: 'Off: notifyHook is taken out of submissions',
    section,
    writer: 'admin',
  }),
  MjAccountFilterEnabled: setting({
    value: flag(false),
    label: 'Account filter',
    help: 'Off: accountFilter is taken out of submissions',
    section,
    writer: 'admin',
  }),
  MjForwardUrlEnabled: setting({
    value: flag(true),
    label: 'Images through this server',
    help: 'Links to images point here, so that the server address of the proxy stays unknown',
    section,
    writer: 'admin',
  }),
  MjModeClearEnabled: setting({
    value: flag(false),
    label: 'Take speed words out',
    help: 'Takes --fast, --relax and --turbo out of prompts',
    section,
    writer: 'admin',
  }),
  MjActionCheckSuccessEnabled: setting({
    value: flag(true),
    label: 'Follow-ups on finished drawings only',
    help: 'A button of a drawing may be pressed only when the drawing has succeeded',
    section,
    writer: 'admin',
  }),
}
