export { default as puppeteer, type Browser, type Frame, type Page } from 'puppeteer-core';
export { default as axe } from 'axe-core';
