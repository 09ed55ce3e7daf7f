// The picture of a chart, drawn by chart.js with only the modules of these three kinds.
import type { ChartConfiguration, TooltipItem } from 'chart.js'
import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { useEffect, useRef } from 'react'
import { useThemeMode } from '../../data/preferences.ts'
import { useText } from '../../data/texts.tsx'
import { type ChartProps, sumValues } from './data.ts'

// The colors of series, distinguishable by lightness as well, and readable on both backgrounds.
const LIGHT = [
  '#0b7285',
  '#c2570c',
  '#5b4bc4',
  '#2b8a3e',
  '#a8326b',
  '#866118',
  '#1864ab',
  '#9c36b5',
  '#5c6770',
  '#b3261e',
]
const DARK = [
  '#46bccf',
  '#ff922b',
  '#9d8cff',
  '#69c77b',
  '#f06fa7',
  '#d9ad4f',
  '#63a8ee',
  '#d67be8',
  '#a3adb5',
  '#ff8a80',
]

export const seriesColor = (index: number, dark: boolean): string => {
  const colors = dark ? DARK : LIGHT
  return colors[index % colors.length]!
}

Drawing.register(
  ...[ArcElement, BarController, BarElement, CategoryScale, DoughnutController, Legend, LinearScale],
  ...[LineController, LineElement, PointElement, Tooltip],
)

export function ChartCanvas(props: ChartProps) {
  const { label, note } = props
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(props)
  latest.current = props
  const dark = useThemeMode() === 'dark'
  // The chart is drawn again when its values change, not at each rendering.
  const drawn = JSON.stringify([props.kind, props.data])
  const total = t('Total')
  useEffect(() => {
    const drawing = new Drawing(canvas.current!, configuration(latest, dark, total))
    return () => drawing.destroy()
  }, [drawn, dark, total])
  return <canvas ref={canvas} role="img" aria-label={[label, note].filter(Boolean).join(': ')} />
}

function configuration(latest: { current: ChartProps }, dark: boolean, total: string): ChartConfiguration {
  const { kind, data, onPick } = latest.current
  const isRound = kind === 'doughnut'
  const style = getComputedStyle(document.body)
  const ink = style.getPropertyValue('--semi-color-text-1').trim()
  const line = style.getPropertyValue('--semi-color-border').trim()
  const font = { family: style.fontFamily, size: 12 }
  const say = (value: number) => latest.current.format(value)
  const axis = { grid: { color: line }, border: { display: false }, ticks: { color: ink, font } }
  return {
    type: ({ bars: 'bar', lines: 'line', doughnut: 'doughnut' } as const)[kind],
    data: {
      labels: [...data.buckets],
      datasets: (isRound ? data.series.slice(0, 1) : data.series).map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        backgroundColor: isRound ? values.map((_, at) => seriesColor(at, dark)) : seriesColor(index, dark),
        borderColor: isRound ? 'transparent' : seriesColor(index, dark),
        borderWidth: kind === 'lines' ? 2 : 0,
        ...(kind === 'lines' ? { pointRadius: values.length > 40 ? 0 : 2, pointHitRadius: 12, tension: 0.2 } : {}),
        ...(kind === 'bars' ? { maxBarThickness: 48 } : {}),
      })),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: isRound ? { mode: 'nearest', intersect: true } : { mode: 'index', intersect: false },
      ...(isRound
        ? { cutout: '55%' }
        : {
            scales: {
              x: {
                ...axis,
                grid: { display: false },
                stacked: kind === 'bars',
                // Some labels are left out where they do not all have room; slanted ones are hard to read.
                ticks: { ...axis.ticks, maxRotation: 0, autoSkipPadding: 8 },
              },
              y: {
                ...axis,
                stacked: kind === 'bars',
                beginAtZero: true,
                ticks: { ...axis.ticks, maxTicksLimit: 6, callback: (value: number | string) => say(Number(value)) },
              },
            },
          }),
      plugins: {
        legend: {
          display: isRound || data.series.length > 1,
          position: isRound ? 'left' : 'bottom',
          labels: { color: ink, font, boxWidth: 12, boxHeight: 12 },
        },
        tooltip: {
          titleFont: font,
          bodyFont: font,
          itemSort: (a: TooltipItem<'bar'>, b: TooltipItem<'bar'>) => Number(b.raw) - Number(a.raw),
          filter: ({ raw }: TooltipItem<'bar'>) => isRound || Number(raw) !== 0,
          callbacks: {
            label: ({ dataset, raw, label }: TooltipItem<'bar'>) =>
              `${isRound ? label : (dataset.label ?? '')}: ${say(Number(raw))}`,
            beforeBody: (items: TooltipItem<'bar'>[]) =>
              kind === 'bars' && items.length > 1
                ? `${total}: ${say(sumValues(items.map(({ raw }) => Number(raw))))}`
                : '',
          },
        },
      },
      ...(onPick
        ? {
            onClick(event, _elements, drawing) {
              const [hit] = drawing.getElementsAtEventForMode(
                event as never,
                'nearest',
                { intersect: kind !== 'lines' },
                false,
              )
              if (hit) latest.current.onPick?.(hit.index, hit.datasetIndex)
            },
            onHover(event, elements) {
              const target = event.native?.target as HTMLElement | undefined
              if (target) target.style.cursor = elements.length > 0 ? 'pointer' : ''
            },
          }
        : {}),
    },
  } as ChartConfiguration
}
