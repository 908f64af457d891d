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
      #expect(address.userInformation == "me:a@b")
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
    func `what is no web address is refused`(text: String) {
      #expect(throws: FetchError.self) { try WebAddress(text) }
    }

    @Test func `a source is a file unless it says otherwise`() throws {
      #expect(try SourceAddress("shops.csv") == .file("shops.csv"))
      #expect(try SourceAddress("file:///a/b.csv") == .file("/a/b.csv"))
      #expect(throws: FetchError.self) { try SourceAddress("ftp://a/b.csv") }
      guard case .web = try SourceAddress("HTTP://a/b.csv") else {
        Issue.record("HTTP:// is a web address")
        return
      }
    }
  }
#endif
