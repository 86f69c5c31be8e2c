import type { Language } from '../../shared/languages.ts';

export interface NoticeText {
  readonly title: string;
  /** The label of the language menu. */
  readonly language: string;
  readonly lead: string;
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

/** The privacy notice in the languages of the hosted page. */
export const NOTICES: Readonly<Record<Language, NoticeText>> = {
  en: {
    title: 'Privacy notice',
    language: 'Language',
    lead: 'How an age check with OfAge treats your data. OfAge is a demo and checks no real person.',
    sections: [
      [
        'Who checks your age',
        'OfAge, for the shop that sent you here. The shop decides what it needs the check for.',
      ],
      [
        'What we look at',
        'The camera picture of your face and, if needed, of your ID. The shop may also send us its customer number for you.',
      ],
      [
        'What happens to your photos',
        'They stay on your device. Nothing is uploaded and nothing is stored.',
      ],
      [
        'What the shop learns',
        'Whether you passed and, if not, the reason. It gets no photo, no name and no date of birth.',
      ],
      [
        'What we store',
        'The result and the time of the check, and the customer number, so that the shop can ask for them. We do not store which document you chose.',
      ],
      [
        'What your browser stores',
        'This tab remembers your step until the check ends. There are no cookies and no tracking.',
      ],
      [
        'Your choice',
        'You can cancel at any time. Ask the shop if it offers another way to prove your age.',
      ],
    ],
  },
  de: {
    title: 'Datenschutzerklärung',
    language: 'Sprache',
    lead: 'So geht eine Altersprüfung von OfAge mit Ihren Daten um. OfAge ist eine Demo und prüft keine echten Personen.',
    sections: [
      [
        'Wer Ihr Alter prüft',
        'OfAge, im Auftrag des Shops, von dem Sie kommen. Der Shop entscheidet, wofür er die Prüfung braucht.',
      ],
      [
        'Was wir ansehen',
        'Das Kamerabild Ihres Gesichts und, wenn nötig, Ihres Ausweises. Der Shop kann uns auch seine Kundennummer für Sie senden.',
      ],
      [
        'Was mit Ihren Fotos geschieht',
        'Sie bleiben auf Ihrem Gerät. Nichts wird hochgeladen, nichts wird gespeichert.',
      ],
      [
        'Was der Shop erfährt',
        'Ob Sie bestanden haben und, wenn nicht, den Grund. Er erhält kein Foto, keinen Namen und kein Geburtsdatum.',
      ],
      [
        'Was wir speichern',
        'Das Ergebnis und die Zeit der Prüfung und die Kundennummer, damit der Shop danach fragen kann. Welches Dokument Sie gewählt haben, speichern wir nicht.',
      ],
      [
        'Was Ihr Browser speichert',
        'Dieser Tab merkt sich Ihren Schritt, bis die Prüfung endet. Es gibt keine Cookies und kein Tracking.',
      ],
      [
        'Ihre Wahl',
        'Sie können jederzeit abbrechen. Fragen Sie den Shop, ob Sie Ihr Alter auch anders nachweisen können.',
      ],
    ],
  },
  es: {
    title: 'Política de privacidad',
    language: 'Idioma',
    lead: 'Cómo trata sus datos un control de edad de OfAge. OfAge es una demostración y no comprueba a personas reales.',
    sections: [
      [
        'Quién comprueba su edad',
        'OfAge, por encargo de la tienda de la que viene. La tienda decide para qué necesita el control.',
      ],
      [
        'Qué miramos',
        'La imagen de su rostro y, si hace falta, de su documento. La tienda también puede enviarnos su número de cliente.',
      ],
      ['Qué pasa con sus fotos', 'Se quedan en su dispositivo. No se sube ni se guarda nada.'],
      [
        'Qué sabrá la tienda',
        'Si ha superado el control y, si no, el motivo. No recibe fotos, ni su nombre, ni su fecha de nacimiento.',
      ],
      [
        'Qué guardamos',
        'El resultado y la hora del control, y el número de cliente, para que la tienda pueda consultarlos. No guardamos qué documento eligió.',
      ],
      [
        'Qué guarda su navegador',
        'Esta pestaña recuerda su paso hasta que termina el control. No hay cookies ni seguimiento.',
      ],
      [
        'Su elección',
        'Puede cancelar cuando quiera. Pregunte a la tienda si puede demostrar su edad de otra forma.',
      ],
    ],
  },
  fr: {
    title: 'Politique de confidentialité',
    language: 'Langue',
    lead: 'Comment un contrôle de l’âge par OfAge traite vos données. OfAge est une démonstration et ne contrôle personne.',
    sections: [
      [
        'Qui vérifie votre âge',
        'OfAge, pour la boutique d’où vous venez. La boutique décide pourquoi elle a besoin du contrôle.',
      ],
      [
        'Ce que nous regardons',
        'L’image de votre visage et, si nécessaire, de votre pièce d’identité. La boutique peut aussi nous envoyer votre numéro de client.',
      ],
      [
        'Ce que deviennent vos photos',
        'Elles restent sur votre appareil. Rien n’est envoyé ni conservé.',
      ],
      [
        'Ce que la boutique apprend',
        'Si le contrôle est réussi et, sinon, pourquoi. Elle ne reçoit ni photo, ni nom, ni date de naissance.',
      ],
      [
        'Ce que nous conservons',
        'Le résultat et l’heure du contrôle, et le numéro de client, pour que la boutique puisse les demander. Nous ne conservons pas le type de document choisi.',
      ],
      [
        'Ce que votre navigateur conserve',
        'Cet onglet retient votre étape jusqu’à la fin du contrôle. Il n’y a ni cookie ni suivi.',
      ],
      [
        'Votre choix',
        'Vous pouvez annuler à tout moment. Demandez à la boutique si vous pouvez prouver votre âge autrement.',
      ],
    ],
  },
  pt: {
    title: 'Política de privacidade',
    language: 'Idioma',
    lead: 'Como uma verificação de idade da OfAge trata os seus dados. A OfAge é uma demonstração e não verifica pessoas reais.',
    sections: [
      [
        'Quem verifica a sua idade',
        'A OfAge, para a loja de onde vem. A loja decide para que precisa da verificação.',
      ],
      [
        'O que vemos',
        'A imagem do seu rosto e, se necessário, do seu documento. A loja também nos pode enviar o seu número de cliente.',
      ],
      ['O que acontece às fotografias', 'Ficam no seu dispositivo. Nada é enviado nem guardado.'],
      [
        'O que a loja fica a saber',
        'Se passou e, se não, o motivo. Não recebe fotografias, nem o nome, nem a data de nascimento.',
      ],
      [
        'O que guardamos',
        'O resultado e a hora da verificação, e o número de cliente, para que a loja os possa consultar. Não guardamos que documento escolheu.',
      ],
      [
        'O que o seu navegador guarda',
        'Este separador lembra-se do seu passo até a verificação terminar. Não há cookies nem rastreio.',
      ],
      [
        'A sua escolha',
        'Pode cancelar a qualquer momento. Pergunte à loja se pode provar a idade de outra forma.',
      ],
    ],
  },
  it: {
    title: 'Informativa sulla privacy',
    language: 'Lingua',
    lead: 'Come una verifica dell’età di OfAge tratta i tuoi dati. OfAge è una demo e non verifica persone reali.',
    sections: [
      [
        'Chi verifica la tua età',
        'OfAge, per il negozio da cui arrivi. Il negozio decide a che cosa serve la verifica.',
      ],
      [
        'Che cosa guardiamo',
        'L’immagine del tuo viso e, se serve, del tuo documento. Il negozio può anche inviarci il tuo numero di cliente.',
      ],
      [
        'Che cosa succede alle foto',
        'Restano sul tuo dispositivo. Non viene inviato né salvato nulla.',
      ],
      [
        'Che cosa sa il negozio',
        'Se hai superato la verifica e, se no, il motivo. Non riceve foto, né il nome, né la data di nascita.',
      ],
      [
        'Che cosa salviamo',
        'L’esito e l’ora della verifica, e il numero di cliente, così il negozio può chiederli. Non salviamo quale documento hai scelto.',
      ],
      [
        'Che cosa salva il tuo browser',
        'Questa scheda ricorda il tuo passo finché la verifica non finisce. Non ci sono cookie né tracciamento.',
      ],
      [
        'La tua scelta',
        'Puoi annullare in qualsiasi momento. Chiedi al negozio se puoi dimostrare la tua età in altro modo.',
      ],
    ],
  },
};
