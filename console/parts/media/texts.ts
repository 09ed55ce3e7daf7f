// Texts of pictures, songs and films.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    picture: 'View image',
    song: 'Listen',
    film: 'Watch',
    words: 'Read',
    several: '{act} ({n})',
    one: '{n} of {total}',
    previous: 'Previous',
    next: 'Next',
    openAlone: 'Open in a new tab',
    unseen: 'It could not be loaded. It may be gone, or lie where this page may not look.',
    gone: 'Not loaded',
  },
  zh: {
    picture: '查看图片',
    song: '试听',
    film: '播放',
    words: '阅读',
    several: '{act}（{n}）',
    one: '第 {n} 个，共 {total} 个',
    previous: '上一个',
    next: '下一个',
    openAlone: '在新标签页中打开',
    unseen: '加载失败：内容可能已失效，或位于此页面无法访问的地址。',
    gone: '未加载',
  },
})
