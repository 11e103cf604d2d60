using System.Net;
using Microsoft.AspNetCore.Http;
using Polyjuice.LiveView.Access;

namespace Polyjuice.LiveView.Tests.Access;

public sealed class LoopbackRuleTests
{
    [Theory]
    [InlineData("127.0.0.1", "localhost:5080")]
    [InlineData("::1", "[::1]:5080")]
    [InlineData("::ffff:127.0.0.1", "127.0.0.1")]
    public void This_machine_is_answered(string address, string host) =>
        Assert.Null(LoopbackRule.Check(Request(address, host)));

    [Theory]
    [InlineData("10.1.2.3", "localhost", "10.1.2.3")]
    [InlineData("2001:db8::1", "localhost", "2001:db8::1")]
    [InlineData(null, "localhost", "unknown address")]
    [InlineData("127.0.0.1", "rebound.example", "another host")]
    [InlineData("127.0.0.1", "", "another host")]
    public void Others_are_refused_with_what_to_do(string? address, string host, string why)
    {
        var refusal = LoopbackRule.Check(Request(address, host))!;
        Assert.Equal(StatusCodes.Status403Forbidden, refusal.Status);
        Assert.Contains(why, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("LiveViewOptions.AuthorizationPolicy", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("X-Forwarded-For")]
    [InlineData("Forwarded")]
    [InlineData("Via")]
    public void What_comes_through_a_proxy_comes_from_anywhere(string header)
    {
        var request = Request("127.0.0.1", "localhost");
        request.Request.Headers[header] = "somewhere";
        Assert.Contains(header, LoopbackRule.Check(request)!.Message, StringComparison.Ordinal);
    }

    private static DefaultHttpContext Request(string? address, string host) => new()
    {
        Connection = { RemoteIpAddress = address is null ? null : IPAddress.Parse(address) },
        Request = { Host = new HostString(host) },
    };
}
