// Settings of drawing tasks (Midjourney proxies).
import { words } from '../errors.ts'
import { flag, setting } from './setting.ts'

export const drawingSettings = {
  MjNotifyEnabled: setting({
    value: flag(false),
    label: words('Callbacks'),
    help: words('Off: notifyHook is taken out of submissions'),
    card: 'operation.drawing',
    order: 30,
    public: { name: 'mj_notify_enabled', order: 440, meaning: 'May callers be told when drawings are done?' },
    writer: 'admin',
  }),
  MjAccountFilterEnabled: setting({
    value: flag(false),
    label: words('Account filter'),
    help: words('Off: accountFilter is taken out of submissions'),
    card: 'operation.drawing',
    order: 40,
    writer: 'admin',
  }),
  MjForwardUrlEnabled: setting({
    value: flag(true),
    label: words('Images through this server'),
    help: words('Links to images point here, so that the server address of the proxy stays unknown'),
    card: 'operation.drawing',
    order: 50,
    writer: 'admin',
  }),
  MjModeClearEnabled: setting({
    value: flag(false),
    label: words('Remove speed parameters'),
    help: words('Removes --fast, --relax and --turbo from prompts'),
    card: 'operation.drawing',
    order: 60,
    writer: 'admin',
  }),
  MjActionCheckSuccessEnabled: setting({
    value: flag(true),
    label: words('Follow-ups on finished drawings only'),
    help: words('A button of a drawing may be pressed only when the drawing has succeeded'),
    card: 'operation.drawing',
    order: 70,
    writer: 'admin',
  }),
}
