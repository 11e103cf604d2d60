using System.Net;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Api;

public sealed class AccessTests
{
    [Theory]
    [InlineData("")]
    [InlineData("assets/view.js")]
    [InlineData("api/v1/status")]
    [InlineData("api/v1/events")]
    public async Task Without_an_authorization_policy_other_machines_are_refused(string path)
    {
        await using var view = await RunningView.StartAsync(before: (context, next) =>
        {
            context.Connection.RemoteIpAddress = IPAddress.Parse("192.0.2.7");
            return next(context);
        });
        using var answer = await view.Client.GetAsync(path);
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        Assert.Contains("192.0.2.7", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("assets/view.css")]
    [InlineData("api/v1/status")]
    [InlineData("assets/nothing.js")]
    public async Task Every_answer_keeps_browsers_to_this_origin(string path)
    {
        await using var view = await RunningView.StartAsync();
        using var answer = await view.Client.GetAsync(path);
        var policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none'; script-src 'self'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal(["nosniff"], answer.Headers.GetValues("X-Content-Type-Options"));
    }

    [Fact]
    public async Task The_page_is_at_the_path_with_a_slash_whatever_was_asked_for()
    {
        await using var view = await RunningView.StartAsync();
        using var answer = await view.Client.GetAsync(new Uri(view.Address, "/polyjuice"));
        Assert.Equal("/polyjuice/", answer.RequestMessage!.RequestUri!.AbsolutePath);
        Assert.Equal("text/html", answer.Content.Headers.ContentType!.MediaType);
    }

    [Fact]
    public async Task Without_an_authorization_policy_nothing_can_be_changed()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        using var answer = await view.RollBackAsync(new { to = 1, from = 2, reason = "slow" });
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        Assert.Contains(
            "LiveViewOptions.AuthorizationPolicy", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal("locking", view.Policies.Current.Name);
    }

    [Fact]
    public async Task With_one_nobody_sees_anything_who_does_not_meet_it()
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators);
        foreach (var path in new[] { "", "assets/view.js", "api/v1/status" })
        {
            using var answer = await view.Client.GetAsync(path);
            Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        }

        using var refused = await view.RollBackAsync(
            new { to = 1, from = 1, reason = "slow" }, request => request.Headers.Remove(RunningView.UserHeader));
        Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
    }

    [Fact]
    public async Task Who_meets_it_may_roll_back_from_wherever_and_is_named()
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators,
            before: (context, next) =>
            {
                context.Connection.RemoteIpAddress = IPAddress.Parse("192.0.2.7");
                return next(context);
            });
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        using var answer = await view.RollBackAsync(new { to = 1, from = 2, reason = "slow\nsince noon" });
        Assert.Contains(
            "back to version 1 by olivia: slow since noon",
            await answer.Content.ReadAsStringAsync(),
            StringComparison.Ordinal);
        Assert.Equal(("ic3", 3), (view.Policies.Current.Name, view.Policies.Current.Version));
    }

    [Fact]
    public async Task A_request_that_another_page_could_have_sent_is_refused()
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators);
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        using var withoutHeader = await view.RollBackAsync(
            new { to = 1, from = 2, reason = "slow" }, request => request.Headers.Remove("X-Polyjuice-View"));
        using var fromElsewhere = await view.RollBackAsync(
            new { to = 1, from = 2, reason = "slow" },
            request => request.Headers.Add("Origin", "https://elsewhere.example"));
        Assert.Equal(
            (HttpStatusCode.Forbidden, HttpStatusCode.Forbidden), (withoutHeader.StatusCode, fromElsewhere.StatusCode));
        Assert.Equal("locking", view.Policies.Current.Name);
    }

    public static TheoryData<object, HttpStatusCode, string> Bad => new()
    {
        { new { to = 1, from = 2 }, HttpStatusCode.BadRequest, "reason" },
        { new { to = 1, from = 2, reason = " " }, HttpStatusCode.BadRequest, "reason" },
        { new { to = "one", from = 2, reason = "slow" }, HttpStatusCode.BadRequest, "types" },
        { new { to = 9, from = 2, reason = "slow" }, HttpStatusCode.Conflict, "no version 9" },
        { new { to = 1, from = 1, reason = "slow" }, HttpStatusCode.Conflict, "not in force" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task A_rollback_that_makes_no_sense_changes_nothing(
        object body, HttpStatusCode status, string expected)
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators);
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        using var answer = await view.RollBackAsync(body);
        Assert.Equal(status, answer.StatusCode);
        Assert.Contains(expected, await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal(2, view.Policies.History.Count);
    }
}
