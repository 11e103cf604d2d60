using Microsoft.AspNetCore.Http;
using Polyjuice.LiveView.Access;

namespace Polyjuice.LiveView.Tests.Access;

public sealed class ActionRuleTests
{
    private static readonly LiveViewOptions _open = new() { AuthorizationPolicy = "operators" };

    [Fact]
    public void Without_an_authorization_policy_nothing_may_be_changed()
    {
        var refusal = ActionRule.Check(Request(), new LiveViewOptions())!;
        Assert.Equal((StatusCodes.Status403Forbidden, ActionRule.ReadOnly), (refusal.Status, refusal.Message));
    }

    [Fact]
    public void The_page_itself_may_ask()
    {
        Assert.Null(ActionRule.Check(Request(), _open));
        Assert.Null(ActionRule.Check(Request("https://view.example:8443", "same-origin"), _open));
    }

    [Theory]
    [InlineData("https://elsewhere.example", null)]
    [InlineData("https://view.example", null)]
    [InlineData("null", null)]
    [InlineData(null, "cross-site")]
    [InlineData(null, "same-site")]
    public void Other_pages_may_not(string? origin, string? site) =>
        Assert.Contains(
            "another origin", ActionRule.Check(Request(origin, site), _open)!.Message, StringComparison.Ordinal);

    [Fact]
    public void A_request_that_a_form_could_send_is_refused()
    {
        var withoutHeader = Request();
        withoutHeader.Request.Headers.Remove(ActionRule.Header);
        Assert.Contains(ActionRule.Header, ActionRule.Check(withoutHeader, _open)!.Message, StringComparison.Ordinal);
        var form = Request();
        form.Request.ContentType = "application/x-www-form-urlencoded";
        Assert.Equal(StatusCodes.Status415UnsupportedMediaType, ActionRule.Check(form, _open)!.Status);
    }

    private static DefaultHttpContext Request(string? origin = null, string? site = null)
    {
        var context = new DefaultHttpContext
        {
            Request = { Scheme = "https", Host = new HostString("view.example:8443"), ContentType = "application/json" }
        };
        context.Request.Headers[ActionRule.Header] = "1";
        if (origin is not null) context.Request.Headers.Origin = origin;
        if (site is not null) context.Request.Headers["Sec-Fetch-Site"] = site;
        return context;
    }
}
