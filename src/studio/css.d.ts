// Style sheets are bundled into dist/studio.css.
declare module '*.css';
