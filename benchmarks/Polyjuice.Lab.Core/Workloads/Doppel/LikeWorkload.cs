using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Doppel;

/// <summary>
/// LIKE of Doppel (Narula's thesis, §7.5): users like pages, some of which are liked by many, and look at how many
/// likes a page has. Looking is an ordinary transaction, because what it costs beside the writes is what is measured.
/// </summary>
public sealed class LikeWorkload : IWorkload
{
    private const int Concurrency = 64;
    private readonly WorkloadParameters _parameters;
    private readonly SkewedKeys _pages;
    private readonly List<Client> _clients = [];

    private LikeWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        _pages = new SkewedKeys(parameters.Accounts, parameters.Seed);
    }

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "like",
        "users like pages, chosen by --theta, and look at them; --write-percent",
        parameters => new LikeWorkload(parameters),
        ReportsTax: false)
    {
        HasPlainTwins = false,
        OperationTypes =
        [
            new("Like", $"{nameof(ILikingUserGrain)}.{nameof(ILikingUserGrain.Like)}"),
            new("Look", $"{nameof(ILikingUserGrain)}.{nameof(ILikingUserGrain.Look)}")
        ],
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture,
            $"{parameters.Accounts:N0} users and as many pages, {parameters.WritePercent}% likes"),
    };

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        var client = new Client(cluster, _parameters, _pages.For(settings.Theta), new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>Users and pages count the same likes, as many as clients were told of.</summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var byUsers = await Batches.SumAsync(
            _clients.SelectMany(client => client.Users),
            Concurrency,
            user => cluster.Grains.GetGrain<ILikingUserGrain>(user).Likes());
        var byPages = await Batches.SumAsync(
            _clients.SelectMany(client => client.Pages),
            Concurrency,
            page => cluster.Grains.GetGrain<ILikedPageGrain>(page).Count());
        return Judge(byUsers, byPages, Tally.Sum(_clients.Select(client => client.Likes)));
    }

    internal static InvariantCheck Judge(long byUsers, long byPages, Tally told)
    {
        var wrong = new List<string>();
        if (byUsers != byPages)
            wrong.Add(FormattableString.Invariant($"users count {byUsers:N0}, and pages {byPages:N0}"));
        told.Compare("likes of all users", byUsers, wrong);
        return InvariantCheck.Of(
            wrong,
            FormattableString.Invariant($"users and pages count the same {byPages:N0} likes, as acknowledged"),
            "LIKES ARE WRONG");
    }

    private sealed class Client(
        WorkloadCluster cluster, WorkloadParameters parameters, ZipfianGenerator pages,
        BenchmarkRandom random) : IWorkloadClient
    {
        public Tally Likes { get; } = new();

        public HashSet<long> Users { get; } = [];

        public HashSet<long> Pages { get; } = [];

        public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

        public WorkloadOperation Choose()
        {
            var (user, page) = ((long)random.Next(parameters.Accounts), (long)pages.Next(random));
            return random.Next(100) < parameters.WritePercent
                ? new WorkloadOperation(0, () => LikeAsync(user, page))
                : new WorkloadOperation(
                    1, () => Outcomes.OfAsync(cluster.Grains.GetGrain<ILikingUserGrain>(user).Look(page)));
        }

        private async Task<OperationOutcome> LikeAsync(long user, long page)
        {
            Users.Add(user);
            Pages.Add(page);
            var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<ILikingUserGrain>(user).Like(page));
            Likes.Book(outcome);
            return outcome;
        }
    }
}
