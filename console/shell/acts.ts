// The acts of the palette that every page has.
import { client } from '../data/client.ts'
import { goTo } from '../data/base.ts'
import { preferences } from '../data/preferences.ts'
import { finishDeletions } from '../parts/undo.ts'
import { declareActs } from '../screens/act.ts'
import { showShortcuts, showTerminal } from '../parts/commands.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'shell.light',
      title: { en: 'Switch to light', zh: '切换到浅色' },
      access: 'public',
      run: () => preferences.theme.write('light'),
    },
    {
      key: 'shell.dark',
      title: { en: 'Switch to dark', zh: '切换到深色' },
      access: 'public',
      run: () => preferences.theme.write('dark'),
    },
    {
      key: 'shell.en',
      title: { en: 'Switch language: English', zh: '切换语言：English' },
      access: 'public',
      run: () => preferences.language.write('en'),
    },
    {
      key: 'shell.zh',
      title: { en: 'Switch language: 中文', zh: '切换语言：中文' },
      access: 'public',
      run: () => preferences.language.write('zh'),
    },
    {
      key: 'shell.keys',
      title: { en: 'Show keyboard shortcuts', zh: '查看快捷键' },
      access: 'public',
      run: showShortcuts,
    },
    {
      key: 'shell.terminal',
      title: { en: 'The same in the terminal', zh: '在终端中执行同样的操作' },
      access: 'user',
      run: showTerminal,
    },
    {
      key: 'shell.logout',
      title: { en: 'Log out', zh: '退出登录' },
      access: 'user',
      async run() {
        await finishDeletions()
        await client.auth.logout()
        preferences.user.remove()
        goTo('/login')
      },
    },
  ],
})
