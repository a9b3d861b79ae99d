//! Origins and names of applicants. Invented from common names; emails use reserved domains.

/// A country that applicants come from.
pub struct HomeCountry {
    /// As the sales site spells it.
    pub nationality: &'static str,
    /// The number of them in a thousand applicants.
    pub weight: u32,
    pub country_code: &'static str,
    pub cities: &'static [&'static str],
    /// In Latin letters, as a passport's machine-readable lines have them.
    pub first: &'static [&'static str],
    pub last: &'static [&'static str],
    /// The same people in their own script.
    pub native: Option<Native>,
}

/// Names in a script of their own.
pub struct Native {
    pub first: &'static [&'static str],
    pub last: &'static [&'static str],
    pub order: NameOrder,
}

/// The order of first and last name.
pub enum NameOrder {
    /// `Анна Иванова`
    FirstLast,
    /// `王小明`
    FamilyFirst,
}

/// The origins of applicants, weighted.
pub const ORIGINS: &[HomeCountry] = &[
    HomeCountry {
        nationality: "Australia",
        weight: 148,
        country_code: "61",
        cities: &["Sydney", "Melbourne", "Perth", "Brisbane", "Adelaide"],
        first: &["Olivia", "Jack", "Charlotte", "William", "Isla", "Noah", "Mia", "Lachlan", "Ruby", "Cooper"],
        last: &["Smith", "Jones", "Williams", "Brown", "Wilson", "Taylor", "Nguyen", "O'Brien", "Kelly", "Walker"],
        native: None,
    },
    HomeCountry {
        nationality: "China",
        weight: 132,
        country_code: "86",
        cities: &["Shanghai", "Beijing", "Guangzhou", "Shenzhen", "Chengdu"],
        first: &["Xiaoming", "Li", "Fang", "Jun", "Mei", "Hao", "Yan", "Ling", "Qiang", "Xue"],
        last: &["Wang", "Li", "Zhang", "Liu", "Chen", "Yang", "Zhao", "Huang", "Zhou", "Wu"],
        native: Some(Native {
            first: &["小明", "丽", "芳", "军", "美玲", "浩然", "艳", "子涵", "志强", "雪"],
            last: &["王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴"],
            order: NameOrder::FamilyFirst,
        }),
    },
    HomeCountry {
        nationality: "India",
        weight: 104,
        country_code: "91",
        cities: &["Mumbai", "Delhi", "Bengaluru", "Chennai", "Kolkata"],
        first: &["Aarav", "Priya", "Rohan", "Ananya", "Vikram", "Neha", "Arjun", "Kavya", "Rahul", "Sneha"],
        last: &["Sharma", "Patel", "Gupta", "Singh", "Kumar", "Reddy", "Iyer", "Nair", "Mehta", "Das"],
        native: Some(Native {
            first: &["आरव", "प्रिया", "रोहन", "अनन्या", "विक्रम", "नेहा", "अर्जुन", "काव्या", "राहुल", "स्नेहा"],
            last: &["शर्मा", "पटेल", "गुप्ता", "सिंह", "कुमार", "रेड्डी", "अय्यर", "नायर", "मेहता", "दास"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "United Kingdom",
        weight: 84,
        country_code: "44",
        cities: &["London", "Manchester", "Bristol", "Leeds", "Glasgow"],
        first: &["Amelia", "George", "Emily", "Harry", "Sophie", "Oliver", "Grace", "Thomas", "Freya", "Alfie"],
        last: &["Davies", "Evans", "Thompson", "Wright", "Robinson", "Hughes", "Clarke", "Hall", "McDonald", "Shah"],
        native: None,
    },
    HomeCountry {
        nationality: "United States",
        weight: 72,
        country_code: "1",
        cities: &["New York", "Los Angeles", "Chicago", "Seattle", "Austin"],
        first: &["Emma", "Liam", "Ava", "James", "Harper", "Ethan", "Madison", "Mason", "Chloe", "Logan"],
        last: &["Johnson", "Garcia", "Miller", "Martinez", "Anderson", "Lopez", "Lee", "White", "Nguyen", "Clark"],
        native: None,
    },
    HomeCountry {
        nationality: "France",
        weight: 58,
        country_code: "33",
        cities: &["Paris", "Lyon", "Marseille", "Toulouse", "Nantes"],
        first: &["Léa", "Hugo", "Chloé", "Louis", "Zoé", "Jules", "Inès", "François", "Élodie", "Rémi"],
        last: &["Martin", "Bernard", "Lefèvre", "Moreau", "Girard", "Dupont", "Bérenger", "Roux", "Le Gall", "Noël"],
        native: None,
    },
    HomeCountry {
        nationality: "Germany",
        weight: 56,
        country_code: "49",
        cities: &["Berlin", "Hamburg", "München", "Köln", "Leipzig"],
        first: &["Hannah", "Lukas", "Lena", "Jürgen", "Marie", "Björn", "Sophia", "Jonas", "Käthe", "Maximilian"],
        last: &["Müller", "Schmidt", "Schneider", "Fischer", "Weiß", "Köhler", "Wagner", "Groß", "Becker", "von Berg"],
        native: None,
    },
    HomeCountry {
        nationality: "Russia",
        weight: 54,
        country_code: "7",
        cities: &["Moscow", "Saint Petersburg", "Kazan", "Novosibirsk"],
        first: &["Anna", "Dmitri", "Elena", "Sergei", "Olga", "Ivan", "Natalia", "Alexei"],
        last: &["Ivanov", "Smirnov", "Kuznetsov", "Popov", "Volkov", "Sokolov", "Lebedev", "Morozov"],
        native: Some(Native {
            first: &["Анна", "Дмитрий", "Елена", "Сергей", "Ольга", "Иван", "Наталья", "Алексей"],
            last: &["Иванов", "Смирнов", "Кузнецов", "Попов", "Волков", "Соколов", "Лебедев", "Морозов"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "South Korea",
        weight: 48,
        country_code: "82",
        cities: &["Seoul", "Busan", "Incheon", "Daegu"],
        first: &["Minjun", "Seoyeon", "Jihoon", "Jiwoo", "Hyunwoo", "Soojin", "Dohyun", "Yuna"],
        last: &["Kim", "Lee", "Park", "Choi", "Jung", "Kang", "Cho", "Yoon"],
        native: Some(Native {
            first: &["민준", "서연", "지훈", "지우", "현우", "수진", "도현", "유나"],
            last: &["김", "이", "박", "최", "정", "강", "조", "윤"],
            order: NameOrder::FamilyFirst,
        }),
    },
    HomeCountry {
        nationality: "Japan",
        weight: 36,
        country_code: "81",
        cities: &["Tokyo", "Osaka", "Nagoya", "Fukuoka"],
        first: &["Haruto", "Yui", "Sota", "Aoi", "Ren", "Hina", "Daiki", "Sakura"],
        last: &["Sato", "Suzuki", "Takahashi", "Tanaka", "Ito", "Watanabe", "Yamamoto", "Nakamura"],
        native: Some(Native {
            first: &["陽翔", "結衣", "颯太", "葵", "蓮", "陽菜", "大輝", "さくら"],
            last: &["佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村"],
            order: NameOrder::FamilyFirst,
        }),
    },
    HomeCountry {
        nationality: "Saudi Arabia",
        weight: 34,
        country_code: "966",
        cities: &["Riyadh", "Jeddah", "Dammam"],
        first: &["Mohammed", "Fatimah", "Abdullah", "Noura", "Khalid", "Sara", "Faisal", "Reem"],
        last: &["Al-Qahtani", "Al-Harbi", "Al-Ghamdi", "Al-Otaibi", "Al-Zahrani", "Al-Shehri"],
        native: Some(Native {
            first: &["محمد", "فاطمة", "عبدالله", "نورة", "خالد", "سارة", "فيصل", "ريم"],
            last: &["القحطاني", "الحربي", "الغامدي", "العتيبي", "الزهراني", "الشهري"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Netherlands",
        weight: 32,
        country_code: "31",
        cities: &["Amsterdam", "Rotterdam", "Utrecht"],
        first: &["Daan", "Sanne", "Bram", "Fleur", "Sem", "Lotte", "Thijs", "Anouk"],
        last: &["de Vries", "van den Berg", "Bakker", "Visser", "Janssen", "de Boer", "van Dijk"],
        native: None,
    },
    HomeCountry {
        nationality: "Egypt",
        weight: 24,
        country_code: "20",
        cities: &["Cairo", "Alexandria", "Giza"],
        first: &["Ahmed", "Mariam", "Omar", "Yasmin", "Youssef", "Nour"],
        last: &["Hassan", "Mahmoud", "Ibrahim", "Mostafa", "El-Sayed", "Farouk"],
        native: Some(Native {
            first: &["أحمد", "مريم", "عمر", "ياسمين", "يوسف", "نور"],
            last: &["حسن", "محمود", "إبراهيم", "مصطفى", "السيد", "فاروق"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Thailand",
        weight: 22,
        country_code: "66",
        cities: &["Bangkok", "Chiang Mai", "Phuket"],
        first: &["Somchai", "Malee", "Anan", "Siriporn", "Kittisak", "Ploy"],
        last: &["Saetang", "Wongsakul", "Chaiyasit", "Srisuk", "Boonmee", "Rattanakorn"],
        native: Some(Native {
            first: &["สมชาย", "มาลี", "อนันต์", "ศิริพร", "กิตติศักดิ์", "พลอย"],
            last: &["แซ่ตั้ง", "วงศ์สกุล", "ชัยสิทธิ์", "ศรีสุข", "บุญมี", "รัตนากร"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Ukraine",
        weight: 20,
        country_code: "380",
        cities: &["Kyiv", "Lviv", "Odesa"],
        first: &["Oksana", "Andriy", "Yulia", "Bohdan", "Iryna", "Taras"],
        last: &["Shevchenko", "Kovalenko", "Bondarenko", "Tkachenko", "Melnyk", "Kravets"],
        native: Some(Native {
            first: &["Оксана", "Андрій", "Юлія", "Богдан", "Ірина", "Тарас"],
            last: &["Шевченко", "Коваленко", "Бондаренко", "Ткаченко", "Мельник", "Кравець"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Israel",
        weight: 16,
        country_code: "972",
        cities: &["Tel Aviv", "Jerusalem", "Haifa"],
        first: &["Noa", "David", "Tamar", "Yosef", "Maya", "Eitan"],
        last: &["Cohen", "Levi", "Mizrahi", "Peretz", "Biton", "Friedman"],
        native: Some(Native {
            first: &["נועה", "דוד", "תמר", "יוסף", "מאיה", "איתן"],
            last: &["כהן", "לוי", "מזרחי", "פרץ", "ביטון", "פרידמן"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Brazil",
        weight: 16,
        country_code: "55",
        cities: &["São Paulo", "Rio de Janeiro", "Curitiba"],
        first: &["João", "Maria", "Gabriel", "Júlia", "Antônio", "Beatriz"],
        last: &["da Silva", "Santos", "Oliveira", "Conceição", "Araújo", "Gonçalves"],
        native: None,
    },
    HomeCountry {
        nationality: "Turkey",
        weight: 14,
        country_code: "90",
        cities: &["Istanbul", "Ankara", "Izmir"],
        first: &["Ayşe", "Mehmet", "Zeynep", "İbrahim", "Elif", "Çağlar"],
        last: &["Yılmaz", "Kaya", "Demir", "Şahin", "Çelik", "Öztürk"],
        native: None,
    },
    HomeCountry {
        nationality: "Nigeria",
        weight: 12,
        country_code: "234",
        cities: &["Lagos", "Abuja", "Ibadan"],
        first: &["Chinedu", "Ngozi", "Oluwaseun", "Amina", "Emeka", "Folake"],
        last: &["Okafor", "Adeyemi", "Bello", "Eze", "Ogunleye", "Nwosu"],
        native: None,
    },
    HomeCountry {
        nationality: "Greece",
        weight: 10,
        country_code: "30",
        cities: &["Athens", "Thessaloniki"],
        first: &["Maria", "Giorgos", "Eleni", "Nikos"],
        last: &["Papadopoulos", "Vlachos", "Georgiou", "Nikolaidis"],
        native: Some(Native {
            first: &["Μαρία", "Γιώργος", "Ελένη", "Νίκος"],
            last: &["Παπαδόπουλος", "Βλάχος", "Γεωργίου", "Νικολαΐδης"],
            order: NameOrder::FirstLast,
        }),
    },
    HomeCountry {
        nationality: "Papua New Guinea",
        weight: 8,
        country_code: "675",
        cities: &["Port Moresby", "Lae"],
        first: &["Michael", "Grace", "Peter", "Ruth"],
        last: &["Kila", "Tau", "Somare", "Wari"],
        native: None,
    },
];
