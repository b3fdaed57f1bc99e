import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref } from 'vue';
import session from '../../tour.txt?raw';
import { endSeconds, framesOf, rowsOf } from '../../tour-rows.ts';
import './tour.css';

const labels = {
  en: { tour: 'Tour of the command mcp', previous: 'Previous', play: 'Play', pause: 'Pause', next: 'Next' },
  'zh-CN': { tour: '命令 mcp 的导览', previous: '上一幕', play: '播放', pause: '暂停', next: '下一幕' },
};

/** The scenes of the recorded tour; each row with the seconds after which it appears. */
const scenes = session.split(/\n\n(?=— )/).map((scene) => {
  const [title, ...rows] = rowsOf(scene).filter(({ text }) => text !== '');
  const frames = framesOf(rows);
  return {
    title: title!.text.slice(2),
    seconds: frames.at(-1)!.at + endSeconds,
    rows: rows.map((row, index) => ({ ...row, at: frames.find(({ shown }) => shown > index)!.at })),
  };
});

/** The tour as text, scene by scene. The style sheet shows all scenes where scripts do not run. */
export const Tour = defineComponent(() => {
  const { lang } = useData();
  const root = ref<HTMLElement>();
  const current = ref(0);
  // A scene that is not played is shown whole.
  const isPlaying = ref(false);
  const isLast = () => current.value === scenes.length - 1;

  const toggle = () => {
    isPlaying.value = !isPlaying.value;
    if (isPlaying.value && isLast()) current.value = 0;
  };
  const step = (by: number) => {
    isPlaying.value = false;
    current.value = (current.value + by + scenes.length) % scenes.length;
  };
  const afterScene = () => {
    if (isLast()) isPlaying.value = false;
    else current.value++;
  };

  onMounted(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry!.isIntersecting) return;
      observer.disconnect();
      isPlaying.value = true;
    });
    observer.observe(root.value!);
  });

  return () => {
    const words = labels[lang.value === 'zh-CN' ? 'zh-CN' : 'en'];
    const button = (text: string, onClick: () => void) => h('button', { type: 'button', onClick }, text);
    return h('section', { ref: root, class: 'tour', 'aria-label': words.tour }, [
      h('div', { class: 'bar' }, [
        button(words.previous, () => step(-1)),
        button(isPlaying.value ? words.pause : words.play, toggle),
        button(words.next, () => step(1)),
      ]),
      h(
        'ol',
        { class: { playing: isPlaying.value }, 'aria-live': isPlaying.value ? 'off' : 'polite' },
        scenes.map(({ title, seconds, rows }, index) =>
          h('li', { lang: 'en', class: { current: index === current.value } }, [
            h('p', [h('span', `${index + 1}/${scenes.length}`), ` ${title}`]),
            h(
              'pre',
              rows.map(({ kind, text, at }) => h('code', { class: kind, style: `--at: ${at}s` }, text)),
            ),
            h('div', { class: 'progress', style: `--at: ${seconds}s`, onAnimationend: afterScene }),
          ]),
        ),
      ),
    ]);
  };
});
