// Settings of drawing tasks (Midjourney proxies).
import { words } from '../errors.ts'
import { flag, setting } from './setting.ts'

export const drawing = {
  MjNotifyEnabled: setting({
    value: flag(false),
    label: words('Callbacks', '允许回调'),
    help: words('Off: notifyHook is taken out of submissions', '关闭时从提交中去掉 notifyHook'),
    card: 'operation.drawing',
    order: 30,
    public: { name: 'mj_notify_enabled', order: 440, meaning: 'May callers be told when drawings are done?' },
    writer: 'admin',
  }),
  MjAccountFilterEnabled: setting({
    value: flag(false),
    label: words('Account filter', '允许 accountFilter 参数'),
    help: words('Off: accountFilter is taken out of submissions', '关闭时从提交中去掉 accountFilter'),
    card: 'operation.drawing',
    order: 40,
    writer: 'admin',
  }),
  MjForwardUrlEnabled: setting({
    value: flag(true),
    label: words('Images through this server', '图片经由本站'),
    help: words(
      'Links to images point here, so that the server address of the proxy stays unknown',
      '图片链接指向本站，不暴露代理的服务器地址',
    ),
    card: 'operation.drawing',
    order: 50,
    writer: 'admin',
  }),
  MjModeClearEnabled: setting({
    value: flag(false),
    label: words('Take speed words out', '清除速度参数'),
    help: words('Takes --fast, --relax and --turbo out of prompts', '从提示中去掉 --fast、--relax 和 --turbo'),
    card: 'operation.drawing',
    order: 60,
    writer: 'admin',
  }),
  MjActionCheckSuccessEnabled: setting({
    value: flag(true),
    label: words('Follow-ups on finished drawings only', '仅可操作已完成的绘图'),
    help: words('A button of a drawing may be pressed only when the drawing has succeeded', '绘图成功后才能点击其按钮'),
    card: 'operation.drawing',
    order: 70,
    writer: 'admin',
  }),
}
