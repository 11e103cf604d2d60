using System.Net.Http.Json;
using System.Security.Claims;
using System.Text.Encodings.Web;
using BankAccount.Grains;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Dashboard;
using Orleans.Hosting;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Orleans.Silos;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests;

/// <summary>
/// An application with a silo and the live view below <c>/polyjuice</c>, at a free port of this machine.
/// </summary>
internal sealed class RunningView : IAsyncDisposable
{
    /// <summary>The authorization policy, and the header that names the user.</summary>
    public const string Operators = "operators", UserHeader = "X-Test-User";

    private readonly WebApplication _application;

    private RunningView(WebApplication application)
    {
        _application = application;
        Address = new Uri(
            application.Services.GetRequiredService<IServer>().Features
                .Get<IServerAddressesFeature>()!.Addresses.Single());
        Client = new HttpClient { BaseAddress = new Uri(Address, "/polyjuice/") };
    }

    public Uri Address { get; }

    public Uri Page => Client.BaseAddress!;

    public HttpClient Client { get; }

    public PolicyStore Policies => _application.Services.GetRequiredService<PolicyStore>();

    public IObservedSilo Silo => _application.Services.GetRequiredService<IObservedSilo>();

    public SampleHistory History => _application.Services.GetRequiredService<SampleHistory>();

    /// <param name="configure">Options.</param>
    /// <param name="services">Other services, before the view's.</param>
    /// <param name="before">Comes before the view in the pipeline.</param>
    /// <param name="dashboard">Where Orleans' Dashboard is, if the application has it.</param>
    public static async Task<RunningView> StartAsync(
        Action<LiveViewOptions>? configure = null, Action<IServiceCollection>? services = null,
        Func<HttpContext, RequestDelegate, Task>? before = null, string? dashboard = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");

        // Whoever works here must succeed, however long the machine stands still.
        var ports = LoopbackPorts.Free(2);
        builder.UseOrleans(silo => (dashboard is null ? silo : silo.AddDashboard())
            .UseLocalhostClustering(ports[0], ports[1], serviceId: $"view-{ports[0]}", clusterId: $"view-{ports[0]}")
            .Configure<SiloMessagingOptions>(options => options.ResponseTimeout = TimeSpan.FromMinutes(4))
            .UsePolyjuice(options =>
            {
                options.Policy = "ic3";
                options.Engine.TransactionTimeoutMicroseconds = 180_000_000;
            })
            .AddMemoryLogAsDefault());
        builder.Services.AddAuthentication("test").AddScheme<AuthenticationSchemeOptions, TestUsers>("test", null);
        builder.Services.AddAuthorization(
            options => options.AddPolicy(Operators, policy => policy.RequireAuthenticatedUser()));
        services?.Invoke(builder.Services);
        builder.Services.AddPolyjuiceLiveView(configure);
        var application = builder.Build();
        if (before is not null) application.Use(next => context => before(context, next));
        application.UseAuthentication();
        application.UseAuthorization();
        application.MapPolyjuiceLiveView();
        if (dashboard is not null) application.MapOrleansDashboard(dashboard);
        await application.StartAsync();
        return new RunningView(application);
    }

    /// <summary>Customers who send each other money from few accounts, until it is disposed.</summary>
    public IAsyncDisposable Work() => new Load(_application.Services.GetRequiredService<IGrainFactory>());

    /// <summary>Waits for a sample that meets a condition.</summary>
    public async Task<Sample> SampleAsync(Func<Sample, bool> condition)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        for (var seen = 0L; ;)
        {
            await History.WaitAsync(seen, timeout.Token);
            foreach (var sample in History.After(seen))
            {
                seen = sample.Number;
                if (condition(sample)) return sample;
            }
        }
    }

    public async Task<HttpResponseMessage> RollBackAsync(object body, Action<HttpRequestMessage>? change = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "api/v1/policies/rollback")
        {
            Content = JsonContent.Create(body)
        };
        request.Headers.Add("X-Polyjuice-View", "1");
        request.Headers.Add(UserHeader, "olivia");
        change?.Invoke(request);
        return await Client.SendAsync(request);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _application.DisposeAsync();
    }

    private sealed class Load : IAsyncDisposable
    {
        private readonly CancellationTokenSource _ending = new();
        private readonly Task _customers;

        public Load(IGrainFactory grains) =>
            _customers = Task.WhenAll(
                Enumerable.Range(0, 8).Select(customer => Task.Run(() => WorkAsync(grains, customer))));

        public async ValueTask DisposeAsync()
        {
            await _ending.CancelAsync();
            await _customers;
            _ending.Dispose();
        }

        private async Task WorkAsync(IGrainFactory grains, int customer)
        {
            for (var i = customer; !_ending.IsCancellationRequested; i++)
            {
                var (from, to) =
                    (grains.GetGrain<IAccountGrain>(
                        $"account-{i % 3}"), grains.GetGrain<IAccountGrain>($"account-{(i + 1) % 3}"));
                await from.Deposit(1);
                await grains.GetGrain<IAtmGrain>(customer).Transfer(from, to, 0.5m);
            }
        }
    }

    /// <summary>Whoever a header names.</summary>
    private sealed class TestUsers(
        IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory loggers,
        UrlEncoder encoder) : AuthenticationHandler<AuthenticationSchemeOptions>(options, loggers, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync() =>
            Task.FromResult(Request.Headers[UserHeader] is [{ } user]
                ? AuthenticateResult.Success(
                    new AuthenticationTicket(
                        new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, user)], "test")), "test"))
                : AuthenticateResult.NoResult());
    }
}
