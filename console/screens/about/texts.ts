// Texts of the about page.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'About',
    operatorPage: 'About this site',
    failed: 'Could not load the about page',
    retry: 'Try again',
    credit: '{site} runs on Weir {version}, a self-hosted gateway for AI models with a quota for every user.',
    licence: 'Weir is free software under the Apache License 2.0.',
    unset: 'This text is set in the system settings.',
    toSettings: 'Write an about page',
  },
  zh: {
    title: '关于',
    operatorPage: '关于本站',
    failed: '无法加载关于页面',
    retry: '重试',
    credit: '{site} 由 Weir {version} 提供：可自行部署的 AI 模型网关，为每个用户管理额度。',
    licence: 'Weir 是遵循 Apache License 2.0 的自由软件。',
    unset: '此页内容可在系统设置中填写。',
    toSettings: '填写关于页面',
  },
})
