#if Store
  import Testing

  @testable import SourceFetching

  @Suite struct WebAddressTests {
    /// The examples of RFC 3986 §5.4 that stay on the web and differ from the base by more than a
    /// fragment, with the path parameters they have there.
    @Test(arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
      ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func `a reference resolves as RFC 3986 has it`(reference: String, expected: String) throws {
      #expect(try WebAddress("http://a/b/c/d;p?q").resolving(reference).text == expected)
    }

    @Test func `an address is taken apart`() throws {
      let address = try WebAddress("HTTPS://me:a@b@Example.ORG:8443/a b/서?q=한 글#part")
      #expect(address.isSecure)
      #expect(address.userInformation == "me:a%40b")
      #expect(address.host == "example.org")
      #expect(address.port == 8443)
      #expect(address.path == "/a%20b/%EC%84%9C")
      #expect(address.query == "q=%ED%95%9C%20%EA%B8%80")
      #expect("\(address)" == "https://…@example.org:8443/a%20b/%EC%84%9C?…")
      #expect(try WebAddress("http://[::1]:80/").text == "http://[::1]/")
    }

    @Test func `values of a query are encoded whole`() throws {
      let address = try WebAddress("http://a/search?k=1").adding(query: [("q", "a&b=서/+?")])
      #expect(address.text == "http://a/search?k=1&q=a%26b%3D%EC%84%9C%2F%2B%3F")
    }

    @Test(arguments: [
      "http://", "http:///x", "https://a b/", "http://a:0/", "http://a:99999/", "http://a:x/",
      "http://[::1", "http://카페.kr/", "ftp://a/", "javascript:alert(1)", "http://a\n.b/",
    ])
    func `what is not a web address is refused`(text: String) {
      #expect(throws: FetchError.self) { try WebAddress(text) }
    }

    /// Passwords as people choose them, unescaped; what is before the last @ is secret.
    @Test(arguments: [
      "https://me:p4ss/w0rd@host.example/x", "https://me:p4ss?w0rd@host.example/x",
      "https://me:p4ss#w0rd@host.example/x", "https://me:p4ss@w0rd@host.example/x",
      "https://me:p4ss@w0rd/w0rd@host.example/x", "https://me:/p4ss@host.example",
      "https://p4ss/w0rd@host.example/x", "https://me:12/w0rd@host.example", "https://me:p4ss",
      "ftp://me:p4ss/w0rd@host.example/", "https:me:p4ss@host.example",
      "https://host.example/a?key=p4ss@w0rd#w0rd",
      "https://me:x@host.example/a?key=p4ss@w0rd", "https://host.example:8000/?p4ss#w0rd",
      // Signs that a combining mark follows.
      "https://me:p4ss@\u{301}host.example/x", "https://host.example/a?\u{301}key=p4ss#w0rd",
      "https://p4ss@\u{301}host.example/",
    ])
    func `nothing that may be a secret is shown`(text: String) throws {
      var shown = [Credentials.hidden(in: text)]
      do { shown.append("\(try SourceAddress(text))") } catch { shown.append("\(error)") }
      do { shown.append("\(try WebAddress(text))") } catch { shown.append("\(error)") }
      shown.append(Credentials.hidden(inSentence: shown[0]))
      if text.contains("://") && text.contains("@") && !text.contains("key=") {
        shown.append(Credentials.hidden(inSentence: "there is no file \(text) here; do that"))
      }
      for shown in shown {
        #expect(!shown.contains("p4ss") && !shown.contains("w0rd"), "\(shown)")
      }
    }

    /// In libpq's form, misspelt, or cut off by what is shown of a long text.
    @Test(arguments: [
      "user=u password=p4ss host=h", "password = 'p4ss w0rd' host=h", #"password=p4ss\ w0rd"#,
      #"password='p4ss\' w0rd'"#, "sslpassword=p4ss&w0rd", "PGPASSWORD=p4ss",
      "jdbc:postgresql://h/m?user=u&password=p4ss", "postgres://h/m?password=p4ss&user=u",
      "postgres//u:p4ss@h/m", "postgres:/u:p4ss@h/m", "https:me:p4ss@h", "u:p4ss@h/m",
      "postgres://u:p4ss", "postgres://u:p4ss/w0rd", "postgres://u:p4ss.", "u:p4ss@h.example",
      "(postgres:u:p4ss@h)", "u:p4ss@[::1]", "u:p4ss@h",
    ])
    func `no sentence shows a password of an address in another form`(text: String) {
      for sentence in ["\(text) is not there", "column 1 holds \"\(text)\"; write days"] {
        let shown = Credentials.hidden(inSentence: sentence)
        #expect(!shown.contains("p4ss") && !shown.contains("w0rd"), "\(shown)")
      }
    }

    @Test(arguments: ["u:8080@localhost", "u:8080@h.example", "postgres:u:8080@h", "u:8080@h/m"])
    func `a password of digits is no number of an id`(text: String) {
      #expect(!Credentials.hidden(inSentence: "\(text) is not there").contains("8080"))
    }

    @Test(arguments: [
      "serving at http://localhost:8080, http://[::1]:80 and \"http://127.0.0.1:8080\".",
      "a.csv:3: column mail holds  \"me@example.org\";\twrite x=1\n  x = 1\n  ^",
      "see (https://example.org/a?b=c); or https://example.org:",
      "for a text, write 'node:1@seoul', or \"way:7@busan\". At 10:30@x.",
    ])
    func `a sentence without passwords stays as it is`(text: String) {
      #expect(Credentials.hidden(inSentence: text) == text)
    }

    /// The transport reads bytes, and goes to the host before the first slash.
    @Test func `a combining mark does not hide where the host ends`() throws {
      let address = try WebAddress("https://other.example/\u{301}@example.org/x")
      #expect(address.host == "other.example")
      #expect(address.userInformation == nil)
      #expect(address.text == "https://other.example/%CC%81@example.org/x")
      #expect(!address.hasSameOrigin(as: try WebAddress("https://example.org/")))
      let sentence = Credentials.hidden(
        inSentence: "there is no https://me:p4ss@\u{301}host.example")
      #expect(!sentence.contains("p4ss"), "\(sentence)")
    }

    @Test func `addresses with an @ in their path or query are addresses`() throws {
      for (text, shown) in [
        ("https://cdn.example.org/npm/a@1.2/x.json", "https://cdn.example.org/…"),
        ("http://localhost:8000/a@1.2/x.json", "http://…/…"),
        ("http://localhost/a@1.2/x.json", "http://localhost/…"),
        ("https://example.org/x?mail=a@b.c", "https://example.org/…"),
        ("https://example.org:8443/x", "https://example.org:8443/x"),
        ("https://me:pw@[::1]:8443/x?y", "https://…@[::1]:8443/x?…"),
      ] {
        let address = try WebAddress(text)
        #expect(address.text == text)
        #expect("\(address)" == shown)
        #expect(Credentials.hidden(inSentence: "\(address): no.") == "\(address): no.")
      }
      let refused = #expect(throws: FetchError.self) {
        try WebAddress("https://me:a/b@example.org/")
      }
      #expect(refused?.code == "bad-address")
      #expect(refused?.description.contains("%2F") == true)
      #expect(try WebAddress("https://me:a%2Fb@example.org/").userInformation == "me:a%2Fb")
    }

    @Test func `a source is a file unless it says otherwise`() throws {
      #expect(try SourceAddress("shops.csv") == .file("shops.csv"))
      #expect(try SourceAddress("file:///a/b.csv") == .file("/a/b.csv"))
      for (text, path) in [
        ("file:///a/x%20y%2B+.csv", "/a/x y++.csv"), ("file://localhost/a.csv", "/a.csv"),
        ("FILE://LOCALHOST/%EC%84%9C.csv", "/서.csv"), ("file:///a/100%.csv", "/a/100%.csv"),
        ("a%20b.csv", "a%20b.csv"),
      ] {
        #expect(try SourceAddress(text) == .file(path))
      }
      #expect(throws: FetchError.self) { try SourceAddress("ftp://a/b.csv") }
      guard case .web = try SourceAddress("HTTP://a/b.csv") else {
        Issue.record("HTTP:// is a web address")
        return
      }
    }
  }
#endif
