import type { ImageWords } from '../scan/reference.ts';

/** Words that templates put for any image, in the languages in which most pages are written. */
const empty = new Set(
  `a an the my your una uma um un this that some any no of for in on to with and from is it here goes go
  image images img imgs photo photos photograph picture pictures pic pics thumbnail thumb thumbnails preview placeholder
  placeholders default sample example demo test dummy temp temporary todo tbd untitled unnamed undefined null none na
  alt alternate alternative text texts title titles description describe descriptive caption name label content file filename
  path source src url link icon icons graphic illustration artwork avatar avatars banner cover hero background bg
  product products item items profile user users member members person people client customer testimonial author
  admin post posts blog article news card cards cap featured feature main header footer slide slides slider carousel gallery
  portfolio project service category event section page responsive generic random stock new insert add enter upload change
  replace something foo bar baz asdf abc xxx figure fig number no. first second third fourth fifth sixth one two three four
  five six left right top bottom small large big full size fluid rounded circle
  bild bilder foto fotos beschreibung bildbeschreibung platzhalter titel titelbild beispielbild produktbild profilbild
  vorschaubild beispiel hier dein ihr text bildtext alternativtext der die das ein eine des vom von
  photographie description titre texte exemple produit profil utilisateur alternatif votre ici de du la le les un une l d
  imagen imagenes imágenes foto descripción descripcion título titulo texto ejemplo producto perfil usuario alternativo aquí
  tu su el los las del
  imagem imagens descrição descricao exemplo produto usuário usuario seu sua do da dos das o
  immagine immagini descrizione titolo testo esempio prodotto profilo utente alternativo il lo della di
  afbeelding beschrijving voorbeeld tekst het een van
  obraz obrazek zdjęcie opis produktu tytuł
  изображение изображения картинка картинки фото фотография описание товар товара пример
  resim görsel fotoğraf açıklama ürün resmi görseli
  bildbeskrivning beskrivning exempel produktbild billede
  gambar deskripsi produk hình ảnh mô tả sản phẩm تصویر صورة وصف`
    .split(/\s+/u)
    .filter((word) => word !== ''),
);
/** The same in languages without spaces. */
const emptyUnspaced =
  /^(?:图片|圖片|图像|圖像|照片|描述|说明|商品|产品|產品|占位[图符]?|头像|頭像|封面|示例|替代|文本|文字|图|的|用户|画像|写真|説明|代替|テキスト|サンプル|ダミー|イメージ|の|이미지|사진|설명|상품|대체|텍스트|프로필|예시)+$/u;
/** Filler Latin of the usual generators, in their spelling. */
const latin = new Set(
  `a ab accumsan accusamus accusantium ad adipisci adipiscing aenean alias aliqua aliquam aliquet aliquid aliquip amet
  animi anim ante aperiam arcu architecto asperiores aspernatur assumenda at atque auctor augue aut aute autem beatae
  bibendum blanditiis blandit cillum commodi commodo congue consectetur consectetuer consequat consequatur consequuntur
  convallis corporis corrupti cras culpa cum cumque cupidatat cupiditate curabitur cursus dapibus debitis delectus deleniti
  deserunt diam dicta dictum dignissim dignissimos distinctio do dolor dolore dolorem doloremque dolores doloribus dolorum
  donec ducimus dui duis ea eaque earum efficitur egestas eget eius eiusmod eleifend eligendi elit enim eos erat eros error
  esse est et etiam eu euismod eum eveniet ex excepteur excepturi exercitation exercitationem expedita explicabo facere
  facilis facilisis fames faucibus felis fermentum feugiat fringilla fuga fugiat fugit fusce gravida habitant harum hic iaculis
  id illo illum imperdiet impedit in incididunt incidunt integer inventore ipsa ipsam ipsum irure iste itaque iure iusto
  justo labore laboriosam laboris laborum lacinia lacus laoreet laudantium lectus leo libero ligula lobortis lorem luctus
  maecenas magnam magna magni maiores massa mattis mauris maxime metus mi minim minima minus modi molestiae molestias
  molestie mollis mollit mollitia morbi nam natus nec necessitatibus nemo neque nesciunt netus nibh nihil nisi nisl nobis non
  nostrud nostrum nulla nullam numquam nunc obcaecati occaecat occaecati odio odit officia officiis omnis optio orci ornare
  pariatur pellentesque perferendis perspiciatis pharetra phasellus placeat placerat porro porta porttitor posuere possimus
  potenti praesent praesentium pretium primis proident proin provident pulvinar purus quae quaerat quam quas quasi qui quia
  quibusdam quidem quis quisquam quisque quo quod quos ratione recusandae reiciendis rem repellat repellendus reprehenderit
  repudiandae rerum rhoncus risus rutrum saepe sagittis sapien sapiente scelerisque sed sem semper senectus sequi similique
  sint sit sodales sollicitudin soluta sunt suscipit suspendisse tellus tempor tempora tempore temporibus tempus tenetur
  tincidunt tortor totam tristique turpis ullam ullamco ullamcorper ultrices ultricies unde urna ut varius vehicula vel velit
  veniam venenatis veritatis vero vestibulum vitae vivamus viverra volutpat voluptas voluptate voluptatem voluptates
  voluptatibus voluptatum vulputate`.split(/\s+/u),
);
const fileName = /^\S+\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;
/** Names of icons in fonts, of cameras' files, and of variables, and credits, which say who made an image. */
const notAbout =
  /^(?:(?:fa[srlbd]?|bi|mdi|ion|icon|glyphicon|lucide|ri|bx|ti)(?:[-_:]|\s+(?:fa|bi|mdi|glyphicon|ri|bx|ti)-)\S+|(?:img|dsc[nf]?|pxl|image|photo|pic)[-_ ]?[\d_-]+|[a-z]\w*(?:\.[a-z]\w*)+|team[\s_-]*(?:member|mate)s?\W*\d*|(?:photo|image|picture|foto)s?\s*(?:by|courtesy|credit|©).*)$/iu;

/** Names without any information about the image. */
const emptyName =
  /^(?:todo|fixme|placeholder|dummy|image|img|photo|picture|pic|screenshot|untitled|unnamed|file|new|default|test|temp|tmp|copy|\d+|[\da-f]{7,})$/u;

/** Proposes a prompt from an image's words in its document and its file name; empty if neither says anything. */
export function proposedPrompt(words: ImageWords, path: string): string {
  const { alt, title, caption, below, heading } = words;
  const said = [alt, caption, title].find((one) => !saysNothing(one));
  if (said !== undefined) {
    return said;
  }
  const name = below?.replace(/, (.*)$/u, (detail) => (saysNothing(detail) ? '' : detail));
  const around = saysNothing(name) ? heading : name;
  return [wordsOfName(path), around].filter((one) => one !== undefined && one !== '').join(': ');
}

/** Returns the words in a file's name, without its size or number. */
function wordsOfName(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/u, '');
  const words = stem
    .replaceAll(/@\dx|\d{2,4}\s?[x×]\s?\d{2,4}/gu, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !emptyName.test(word.toLowerCase()));
  return words.some((word) => /\p{L}{2}|[^\p{ASCII}]/u.test(word)) ? words.join(' ').toLowerCase() : '';
}

/** Whether words say nothing about an image: a file name, the filler of a template, Latin, or the name of an icon. */
export function saysNothing(words = ''): boolean {
  const all = words
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');
  return (
    all.join('').length < 2 ||
    fileName.test(words.trim()) ||
    notAbout.test(words.trim()) ||
    all.every((word) => word.length === 1 || empty.has(word) || emptyUnspaced.test(word)) ||
    isLatin(all)
  );
}

/** Whether words are filler Latin; a single one may mean something. */
function isLatin(words: readonly string[]): boolean {
  const known = words.filter((word) => latin.has(word)).length;
  return words[0] === 'lorem' || (words.length > 1 && known / words.length > 0.75);
}
