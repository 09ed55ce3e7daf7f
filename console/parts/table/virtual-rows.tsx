// The visible rows of a long list: the others are only a height.
import { useWindowVirtualizer, windowScroll, type Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useState } from 'react'
import { type DrawnProps, ROW_HEIGHT } from './drawn.ts'

export function VirtualRows({ count, body, children }: DrawnProps) {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => setMargin(body.current?.offsetTop ?? 0), [body])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: margin,
    // Otherwise the size is known only after the first rows are rendered, which renders them twice.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    measureElement: measureRow,
    scrollToFn: keepPlace,
  })
  const items = virtual.getVirtualItems()
  return children({
    indexes: items.map(({ index }) => index),
    before: (items[0]?.start ?? margin) - margin,
    after: virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    measure: virtual.measureElement,
  })
}

/**
 * Scrolls only to compensate for rows above that turn out taller. Scrolling to the initial offset would lay out all
 * rows at once.
 */
const keepPlace: typeof windowScroll = (offset, { adjustments, behavior }, virtual) => {
  if (adjustments) windowScroll(offset, { adjustments, behavior }, virtual)
}

/** Takes the height from the observer. Measuring the element would force a layout of the page for each row. */
const measureRow = (
  row: Element,
  entry: ResizeObserverEntry | undefined,
  { measurementsCache }: Virtualizer<Window, Element>,
) =>
  entry?.borderBoxSize[0]
    ? Math.round(entry.borderBoxSize[0].blockSize)
    : (measurementsCache[Number((row as HTMLElement).dataset['index'])]?.size ?? ROW_HEIGHT)
