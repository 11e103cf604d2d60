using System.ComponentModel.DataAnnotations;
using Polyjuice.Tracing;
using Polyjuice.Training.Service.Collecting;

namespace Polyjuice.Training.Tests.Service.Collecting;

public sealed class TraceCollectorTests : IDisposable
{
    private readonly RecordedFolder _folder = new();
    private readonly ManualTime _time = new(RecordedFolder.Begin.AddHours(4));

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_window_is_done_once_each_silo_has_begun_a_file_behind_it()
    {
        var collector = Collector();
        await _folder.WriteAsync(2);
        await _folder.WriteAsync(3);
        await _folder.WriteAsync(2, node: 2);
        Assert.Null(await collector.NextAsync(default));

        await _folder.WriteAsync(3, node: 2);

        var window = await collector.NextAsync(default);
        Assert.Equal(_folder.Window(2), window!.Window);
        Assert.Equal(600, window.Trace!.Transactions.Length);
        Assert.Null(await collector.NextAsync(default));
    }

    [Fact]
    public async Task A_silo_that_has_died_is_waited_for_no_longer_than_it_takes_to_be_quiet()
    {
        var collector = Collector();
        await _folder.WriteAsync(2);
        await _folder.WriteAsync(3);
        await _folder.WriteAsync(2, node: 2);
        Assert.Null(await collector.NextAsync(default));

        _time.MoveTo(RecordedFolder.Begin.AddHours(5));

        Assert.Equal(_folder.Window(2), (await collector.NextAsync(default))!.Window);
        Assert.Null(await collector.NextAsync(default));
    }

    [Fact]
    public async Task Windows_come_in_order_with_their_rates_and_each_file_is_read_once()
    {
        var source = new CountingSource(new FileTraceSource(_folder.Path));
        var collector = Collector(source);
        for (var hour = 0; hour < 5; hour++) await _folder.WriteAsync(hour, rate: 0.1 * (hour + 1));
        _time.MoveTo(RecordedFolder.Begin.AddDays(1));

        for (var hour = 0; hour < 5; hour++)
        {
            var window = await collector.NextAsync(default);
            Assert.Equal(_folder.Window(hour), window!.Window);
            Assert.Equal(0.1 * (hour + 1), window.Rate!.Value, 2);
        }

        Assert.Null(await collector.NextAsync(default));

        // Once for what it says of itself, and once to be read.
        Assert.Equal(5, source.Opened.Count);
        Assert.All(source.Opened.Values, times => Assert.Equal(2, times));
    }

    [Fact]
    public async Task One_that_goes_on_where_another_has_ended_reads_nothing_twice()
    {
        for (var hour = 0; hour < 4; hour++) await _folder.WriteAsync(hour);
        _time.MoveTo(RecordedFolder.Begin.AddDays(1));
        var first = Collector();
        await first.NextAsync(default);
        await first.NextAsync(default);

        var source = new CountingSource(new FileTraceSource(_folder.Path));
        var second = Collector(source, position: first.Position);

        Assert.Equal(_folder.Window(2), (await second.NextAsync(default))!.Window);
        Assert.Equal([RecordedFolder.NameOf(2), RecordedFolder.NameOf(3)], source.Opened.Keys.Order());
    }

    [Fact]
    public async Task Foreign_files_and_such_as_begin_in_no_way_a_trace_does_are_passed_over_and_named_once()
    {
        await _folder.WriteAsync(0);
        await _folder.WriteAsync(1);
        File.WriteAllText(Path.Combine(_folder.Path, "notes.pjtrace"), "not a trace");
        File.WriteAllText(Path.Combine(_folder.Path, RecordedFolder.NameOf(0, node: 9)), "not a trace either");
        File.WriteAllText(Path.Combine(_folder.Path, "readme.txt"), "nobody asks");
        var collector = Collector();

        Assert.Equal(300, (await collector.NextAsync(default))!.Trace!.Transactions.Length);
        await collector.NextAsync(default);

        var problems = collector.TakeProblems();
        Assert.Equal(
            [RecordedFolder.NameOf(0, node: 9), "notes.pjtrace"], problems.Select(problem => problem.Name).Order());
        Assert.Empty(collector.TakeProblems());
    }

    [Fact]
    public async Task A_torn_file_is_read_as_far_as_it_goes_and_named()
    {
        var name = await _folder.WriteAsync(0);
        await _folder.WriteAsync(1);
        await File.AppendAllTextAsync(Path.Combine(_folder.Path, name), "torn");
        var collector = Collector();

        Assert.Equal(300, (await collector.NextAsync(default))!.Trace!.Transactions.Length);

        Assert.Contains("cut", Assert.Single(collector.TakeProblems()).Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_window_of_too_few_transactions_has_no_rate()
    {
        await _folder.WriteAsync(0, transactions: 30);
        await _folder.WriteAsync(1);

        var window = await Collector().NextAsync(default);

        Assert.Null(window!.Rate);
        Assert.Equal(30, window.Trace!.Transactions.Length);
    }

    [Fact]
    public async Task A_file_that_is_begun_and_ended_just_before_a_window_ends_is_of_that_window()
    {
        await _folder.WriteAsync(0, late: TimeSpan.FromMinutes(1));

        var window = await Collector().NextAsync(default);

        Assert.Equal(_folder.Window(0), window!.Window);
        Assert.Equal(300, window.Trace!.Transactions.Length);
    }

    [Fact]
    public async Task A_silos_file_that_comes_late_is_passed_over()
    {
        await _folder.WriteAsync(2);
        await _folder.WriteAsync(3);
        var collector = Collector();
        await collector.NextAsync(default);
        await _folder.WriteAsync(2, node: 2);
        await _folder.WriteAsync(3, node: 2);

        Assert.Null(await collector.NextAsync(default));

        Assert.Equal(RecordedFolder.NameOf(2, node: 2), Assert.Single(collector.TakeProblems()).Name);
    }

    [Fact]
    public async Task Nothing_is_deleted_unless_it_is_asked_for_and_then_only_what_was_read()
    {
        for (var hour = 0; hour < 3; hour++) await _folder.WriteAsync(hour);
        var (keeps, deletes) = (Collector(), Collector(keepFor: TimeSpan.FromHours(1)));
        for (var i = 0; i < 3; i++) await keeps.NextAsync(default);
        Assert.Equal(3, Directory.GetFiles(_folder.Path).Length);

        for (var i = 0; i < 3; i++) await deletes.NextAsync(default);

        Assert.Equal([RecordedFolder.NameOf(2)], Directory.GetFiles(_folder.Path).Select(Path.GetFileName));
    }

    [Fact]
    public async Task A_folder_that_is_not_there_yet_has_nothing() =>
        Assert.Null(await Collector(new FileTraceSource(Path.Combine(_folder.Path, "later"))).NextAsync(default));

    [Fact]
    public void Options_out_of_their_bounds_are_refused() =>
        Assert.Throws<ValidationException>(() => Collector(keepFor: TimeSpan.Zero));

    private TraceCollector Collector(
        ITraceSource? source = null, TimeSpan? keepFor = null, CollectorPosition? position = null) =>
        new(
            source ?? new FileTraceSource(_folder.Path),
            _folder.Grid,
            new TraceCollectorOptions { ConflictIntervalMicroseconds = RecordedFolder.Interval, KeepFor = keepFor },
            _time,
            position ?? CollectorPosition.Start);

    private sealed class CountingSource(ITraceSource inner) : ITraceSource
    {
        public Dictionary<string, int> Opened { get; } = [];

        public string Location => inner.Location;

        public Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken) =>
            inner.ListAsync(cancellationToken);

        public Stream Open(string name)
        {
            Opened[name] = Opened.GetValueOrDefault(name) + 1;
            return inner.Open(name);
        }

        public Task DeleteAsync(string name, CancellationToken cancellationToken) =>
            inner.DeleteAsync(name, cancellationToken);
    }
}
