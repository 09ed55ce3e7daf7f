// Acts of the command palette on the user's account.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'personal.password',
      title: { en: 'Change password', zh: '修改密码' },
      access: 'user',
      run: (go) => go('/personal', 'password'),
    },
    {
      key: 'personal.accessToken',
      title: { en: 'Create access token', zh: '创建访问令牌' },
      access: 'user',
      run: (go) => go('/personal', 'access token'),
    },
    {
      key: 'personal.sessions',
      title: { en: 'See where I am signed in', zh: '查看登录位置' },
      access: 'user',
      run: (go) => go('/personal#sessions'),
    },
  ],
})
