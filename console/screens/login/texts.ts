// Words of the login.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'Sign in',
    name: 'Username or email',
    password: 'Password',
    submit: 'Sign in',
    missing: 'enter username and password',
    done: 'login success',
    expired: 'not logged in or login expired',
    closed: 'Password login is switched off on this server.',
    defaultPassword: 'you are using the default password, change it now',
    understood: 'I will change it',
  },
  zh: {
    title: '用户登录',
    name: '用户名/邮箱',
    password: '密码',
    submit: '登录',
    missing: '请输入用户名和密码',
    done: '登录成功',
    expired: '尚未登录或登录已失效，请再次登录',
    closed: '此服务器已关闭密码登录。',
    defaultPassword: '当前仍是默认密码，请马上更换',
    understood: '我会更换',
  },
})
