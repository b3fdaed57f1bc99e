// Pages use the fonts of the reader's system, so that no font is downloaded.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
