// Settings of asynchronous tasks.
import { ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { count, flag, setting, settingUnits } from './setting.ts'

export const taskSettings = {
  'tasks.open_per_user': setting({
    value: count(100, { max: 100_000 }),
    label: words('Open tasks of one user'),
    help: words('Drawings, songs and films that are not finished; more are refused'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'operation.drawing',
    order: 80,
    writer: 'admin',
  }),
  'tasks.forget_minutes': setting({
    value: count(60, { min: 1, max: 10_080 }),
    label: words('Longest time of a task'),
    help: words(
      'A task that its provider has not finished by then, or does not know any more, has failed, and what it cost is given back',
    ),
    card: 'operation.drawing',
    order: 90,
    unit: settingUnits.minutes,
    writer: 'admin',
  }),
}

// Settings of drawing tasks (Midjourney proxies).

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
