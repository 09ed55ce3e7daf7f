// Texts of the not-found page.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: { missing: 'page does not exist, check the address', home: 'Go to the home page' },
  zh: { missing: '页面不存在，请检查地址是否正确', home: '返回首页' },
})
