/** Tools of services as their servers describe them, `name: description`, by the name of the server. */
export const manyTools: Readonly<Record<string, string>> = {
  github: `create_issue: Create a new issue in a GitHub repository.
get_issue: Get the contents of an issue.
list_issues: List issues in a repository with filters.
update_issue: Update the title, body, labels or state of an issue.
add_issue_comment: Add a comment to an issue or pull request.
create_pull_request: Open a pull request from a branch.
get_pull_request: Get details of a pull request.
list_pull_requests: List pull requests of a repository.
merge_pull_request: Merge a pull request.
update_pull_request: Change the title, the base or the state (open, closed) of a pull request.
get_pull_request_diff: Get the diff of a pull request.
create_pull_request_review: Approve a pull request or request changes.
search_code: Search for code across all repositories.
search_repositories: Search for repositories.
fork_repository: Fork a repository to your account.
create_branch: Create a branch in a repository.
list_commits: List the commits of a branch.
get_file_contents: Get the contents of a file in a repository.
create_or_update_file: Write one file in a repository, as a commit.
run_workflow: Trigger a GitHub Actions workflow.
list_workflow_runs: List runs of a workflow with their conclusions.
get_job_logs: Get the logs of a failed job of GitHub Actions.
list_releases: List releases of a repository.`,
  jira: `create_issue: Create a Jira ticket in a project.
edit_issue: Edit fields of a Jira ticket.
get_issue: Get a Jira ticket by its key.
search_issues: Search tickets with JQL.
transition_issue: Move a ticket to another status of its workflow.
assign_issue: Assign a ticket to a person.
add_comment: Comment on a ticket.
add_worklog: Log the time spent on a ticket.
list_sprints: List the sprints of a board.
list_projects: List the projects that you can see.
link_issues: Link two tickets, for example as duplicates.
get_transitions: Get the statuses to which a ticket can be moved.`,
  slack: `post_message: Send a message to a channel.
reply_to_thread: Reply in a thread.
list_channels: List public channels.
get_channel_history: Get the recent messages of a channel.
get_thread_replies: Get all replies of a thread.
add_reaction: React to a message with an emoji.
search_messages: Search messages in the workspace.
get_users: List the members of the workspace.
get_user_profile: Get the profile of a member, with status and time zone.
set_status: Set your own status text and emoji.
upload_file: Share a file in a channel.
create_channel: Create a channel.
schedule_message: Schedule a message to be sent later.`,
  gmail: `send_email: Send an email with subject, body and attachments.
draft_email: Create a draft without sending it.
read_email: Read an email by its id.
search_emails: Search emails with the query syntax of Gmail.
modify_email: Add or remove labels of an email: archive it, mark it as read.
delete_email: Delete an email permanently.
list_email_labels: List all labels.
create_label: Create a label.
download_attachment: Download an attachment of an email.
create_filter: Create a filter for incoming email.
reply_to_email: Answer an email in its conversation.`,
  calendar: `create_event: Create a calendar event with attendees.
update_event: Change the time, place or attendees of an event.
delete_event: Cancel an event and notify the attendees.
list_events: List the events of a calendar in a time range.
get_event: Get one event.
search_events: Search events by text.
find_free_time: Find times in which all given people are free.
list_calendars: List your calendars.
respond_to_invitation: Accept or decline an invitation.
create_reminder: Create a reminder before an event.`,
  drive: `search_files: Search files in Google Drive by name and content.
read_document: Read a document as text.
create_document: Create a document.
create_folder: Create a folder.
move_file: Move a file to another folder.
share_file: Share a file with people, with a role.
list_permissions: List who has access to a file.
export_file: Export a document as PDF or Word.
trash_file: Move a file to the trash.
copy_file: Copy a file.
list_revisions: List former versions of a file.`,
  sheets: `read_range: Read the cells of a range of a spreadsheet.
write_range: Write values into a range.
append_rows: Append rows to a sheet.
create_spreadsheet: Create a spreadsheet.
add_sheet: Add a sheet to a spreadsheet.
format_cells: Set colours, borders and number formats of cells.
sort_range: Sort rows by a column.
create_chart: Insert a chart from a range.
find_replace: Find and replace text in a sheet.
clear_range: Delete the values of a range.`,
  notion: `search: Search pages and databases of the workspace.
create_page: Create a page with content in Markdown.
update_page: Update properties of a page.
append_blocks: Append content to a page.
query_database: Query the rows of a database with filters and sorts.
create_database: Create a database.
get_comments: Get the comments of a page.
add_comment: Comment on a page.
archive_page: Move a page to the trash.
list_users: List people of the workspace.`,
  linear: `create_issue: Create an issue in a Linear team.
update_issue: Update state, priority or assignee of a Linear issue.
list_my_issues: List the issues that are assigned to me.
search_issues: Search Linear issues by text.
create_project: Create a project in Linear.
list_cycles: List the cycles of a team.
add_label: Put a label on an issue.
get_team: Get a team with its members and states.
create_comment: Comment on a Linear issue.`,
  stripe: `create_customer: Create a customer.
list_customers: List customers.
create_invoice: Create an invoice for a customer.
finalize_invoice: Finalize a draft invoice, so that it can be paid.
create_payment_link: Create a link at which a customer can pay.
create_refund: Refund a payment, in whole or in part.
list_payments: List payment intents.
create_subscription: Subscribe a customer to a price.
cancel_subscription: Cancel a subscription.
retrieve_balance: Get the balance of the account.
create_coupon: Create a discount coupon.
list_disputes: List chargebacks and disputes.
create_product: Create a product.
create_price: Create a price of a product.`,
  sentry: `list_issues: List unresolved errors of a project.
get_issue: Get an error with its stack trace and tags.
resolve_issue: Mark an error as resolved.
list_events: List the occurrences of an error.
list_projects: List the projects of an organization.
create_alert: Create an alert rule.
get_release: Get a release with its new errors.
analyze_trace: Show the spans of a performance trace.
find_slow_transactions: Find transactions whose p95 has become slower.`,
  kubernetes: `list_pods: List pods of a namespace.
get_pod_logs: Get the logs of a container.
describe_pod: Describe a pod with its events.
delete_pod: Delete a pod, so that it is created anew.
exec_in_pod: Run a command in a container.
scale_deployment: Change the number of replicas of a deployment.
rollout_restart: Restart a deployment without downtime.
rollout_undo: Roll a deployment back to its former revision.
apply_manifest: Apply a manifest in YAML.
get_nodes: List nodes with their conditions.
top_pods: Show CPU and memory use of pods.
port_forward: Forward a local port to a pod.
list_namespaces: List namespaces.
get_events: List recent events of a namespace.
create_configmap: Create a ConfigMap.`,
  aws: `s3_list_buckets: List S3 buckets.
s3_get_object: Read an object of a bucket.
s3_put_object: Upload an object to a bucket.
s3_delete_object: Delete an object.
s3_presign_url: Make a temporary download link for an object.
ec2_list_instances: List EC2 instances with their state.
ec2_stop_instance: Stop an instance.
ec2_start_instance: Start an instance.
lambda_invoke: Invoke a Lambda function with a payload.
lambda_list_functions: List Lambda functions.
logs_query: Query CloudWatch Logs with Insights.
get_metric_statistics: Get statistics of a CloudWatch metric.
cost_by_service: Show what each service has cost in a month.
iam_list_users: List IAM users.
sqs_send_message: Put a message into a queue.
dynamodb_query: Query items of a DynamoDB table.`,
  postgres: `query: Run a read-only SQL query.
execute: Run a statement that changes data.
list_tables: List tables of a schema.
describe_table: Show columns, types and constraints of a table.
explain_query: Show the plan of a query with its costs.
list_indexes: List the indexes of a table with their sizes and use.
suggest_indexes: Suggest indexes for slow queries.
list_locks: Show which sessions wait for which locks.
kill_session: End a session.
vacuum_table: Vacuum and analyze a table.
database_size: Show the size of databases and tables.`,
  redis: `get: Get the value of a key.
set: Set the value of a key, with an expiry.
delete: Delete keys.
scan_keys: Find keys by a pattern.
hash_get_all: Get all fields of a hash.
list_push: Push a value onto a list.
publish: Publish a message to subscribers of a channel.
server_info: Show memory use and statistics of the server.
ttl: Show when a key expires.`,
  browser: `navigate: Open a URL in the browser.
click: Click an element of the page.
type_text: Type text into a field.
fill_form: Fill in several fields of a form at once.
take_screenshot: Take a picture of the page or of an element.
get_text: Get the visible text of the page.
wait_for: Wait until a text appears or disappears.
go_back: Go back in the history of the browser.
press_key: Press a key of the keyboard.
select_option: Choose an option of a dropdown.
evaluate_script: Run JavaScript in the page.
list_console_messages: List messages of the console of the page.
list_network_requests: List the requests that the page has made.
handle_dialog: Accept or dismiss a dialog.
upload_file: Choose a file in a file input.
save_pdf: Save the page as PDF.
resize_window: Change the size of the window.`,
  figma: `get_file: Get the document of a design file.
get_image: Render a frame as PNG or SVG.
get_comments: Get comments of a design.
post_comment: Post a comment on a design.
get_styles: List colours and text styles.
get_components: List components of a library.
get_variables: Get design tokens (variables) of a file.`,
  spotify: `play: Start or resume playback of a track, album or playlist.
pause: Pause playback.
next_track: Skip to the next song.
search: Search tracks, albums and artists.
create_playlist: Create a playlist.
add_to_playlist: Add songs to a playlist.
set_volume: Set the volume.
current_track: Show what is playing now.
list_devices: List devices on which music can be played.
queue_track: Add a song to the queue.`,
  home: `turn_on: Turn on a light or a switch.
turn_off: Turn off a light or a switch.
set_brightness: Dim a light.
set_temperature: Set the target temperature of a thermostat.
lock_door: Lock a door.
unlock_door: Unlock a door.
open_cover: Open blinds or a garage door.
get_state: Get the state of a device.
list_devices: List all devices with their rooms.
activate_scene: Activate a scene.
get_camera_snapshot: Get a picture of a camera.
start_vacuum: Start the vacuum robot.
run_automation: Run an automation now.`,
  maps: `geocode: Find the coordinates of an address.
reverse_geocode: Find the address at coordinates.
search_places: Search restaurants, shops and other places nearby.
place_details: Get opening hours, phone and reviews of a place.
directions: Get a route by car, bike, public transport or on foot.
distance_matrix: Get travel times between several places.
elevation: Get the height of places above sea level.
time_zone: Get the time zone of a place.`,
  web: `search: Search the web.
fetch_page: Fetch a web page as Markdown.
extract_data: Extract structured data from a page by a schema.
crawl_site: Crawl the pages of a site.
search_news: Search recent news articles.
search_images: Search pictures on the web.
summarize_page: Summarize a page.
screenshot_url: Take a screenshot of a web page by its URL.`,
};

/** What a model wants to do, in its words, and the tool that does it. */
export const tasks: readonly (readonly [query: string, server: string, tool: string])[] = [
  ['open a bug report on github', 'github', 'create_issue'],
  ['close pull request without merging', 'github', 'update_pull_request'],
  ['why did the CI job fail', 'github', 'get_job_logs'],
  ['approve a PR', 'github', 'create_pull_request_review'],
  ['move jira ticket to done', 'jira', 'transition_issue'],
  ['log hours on a ticket', 'jira', 'add_worklog'],
  ['write a message in a slack channel', 'slack', 'post_message'],
  ['send slack message tomorrow morning', 'slack', 'schedule_message'],
  ['emoji reaction', 'slack', 'add_reaction'],
  ['archive an email', 'gmail', 'modify_email'],
  ['answer an e-mail', 'gmail', 'reply_to_email'],
  ['when is everybody free for a meeting', 'calendar', 'find_free_time'],
  ['decline meeting invite', 'calendar', 'respond_to_invitation'],
  ['give a colleague access to a file in drive', 'drive', 'share_file'],
  ['convert document to pdf', 'drive', 'export_file'],
  ['add a row to a spreadsheet', 'sheets', 'append_rows'],
  ['filter rows of a notion database', 'notion', 'query_database'],
  ['my assigned linear issues', 'linear', 'list_my_issues'],
  ['give a customer money back', 'stripe', 'create_refund'],
  ['refund a payment', 'stripe', 'create_refund'],
  ['stack trace of an error', 'sentry', 'get_issue'],
  ['container logs', 'kubernetes', 'get_pod_logs'],
  ['roll back a deployment', 'kubernetes', 'rollout_undo'],
  ['scale to five replicas', 'kubernetes', 'scale_deployment'],
  ['temporary link to an s3 object', 'aws', 's3_presign_url'],
  ['how much does each aws service cost', 'aws', 'cost_by_service'],
  ['why is this sql query slow, show plan', 'postgres', 'explain_query'],
  ['fill in a web form', 'browser', 'fill_form'],
  ['screenshot of the current page', 'browser', 'take_screenshot'],
  ['skip song', 'spotify', 'next_track'],
  ['turn the lights off', 'home', 'turn_off'],
  ['opening hours of a restaurant', 'maps', 'place_details'],
  ['merge PR', 'github', 'merge_pull_request'],
  ['start the deploy workflow', 'github', 'run_workflow'],
  ['who has access to this document', 'drive', 'list_permissions'],
  ['previous versions of a file', 'drive', 'list_revisions'],
  ['cancel a meeting', 'calendar', 'delete_event'],
  ['set up an email rule', 'gmail', 'create_filter'],
  ['save email attachment', 'gmail', 'download_attachment'],
  ['mark error as fixed', 'sentry', 'resolve_issue'],
  ['cpu usage of pods', 'kubernetes', 'top_pods'],
  ['run a shell command in a container', 'kubernetes', 'exec_in_pod'],
  ['call a lambda', 'aws', 'lambda_invoke'],
  ['columns of a postgres table', 'postgres', 'describe_table'],
  ['when does this key expire', 'redis', 'ttl'],
  ['javascript errors on the page', 'browser', 'list_console_messages'],
  ['what song is playing', 'spotify', 'current_track'],
  ['make it warmer', 'home', 'set_temperature'],
  ['bike route', 'maps', 'directions'],
  ['undo the last commit', 'git', 'git_reset'],
  ['weather forecast for berlin', 'weather', 'forecast'],
];
